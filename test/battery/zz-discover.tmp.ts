import { createStage } from './crash-stage.ts';
import { live } from './crash-history.ts';
const kind = process.argv[2] as any;
const stage = await createStage(kind);
let t=performance.now();
await stage.starts();
console.log('boot', performance.now()-t);
for (const scene of [{}, {wire:'loses answers', webhooks:false}, {wire:'loses requests'}, {wire:'brings the webhook first'}, {fails:true}] as any[]) {
  t=performance.now();
  const h = await live(stage, scene, [], {repeats:false, insists:false});
  console.log(JSON.stringify(scene), Math.round(performance.now()-t),'ms', h.faults, h.verdict.states, h.payer.seen.join(' '));
  console.log((await stage.ask('trace') as string[]).join('\n  '));
}
await stage.close();
process.exit();
