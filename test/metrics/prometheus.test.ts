import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { API } from '../../src/wallet/contract/api.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { readText } from '../kit/tree.ts';

/** The whole process with play money, measured, and a customer who dials. */
async function measuredWasl(env: Readonly<Record<string, string>> = {}) {
  const directory = newDirectory('metrics');
  const wasl = await startWasl({
    PORT: '0',
    SANDBOX_PORT: '0',
    METRICS_PORT: '0',
    OUTCOME_WAIT_MS: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'silent',
    ...env,
  });
  onTestFinished(() => wasl.close());
  const dial = async (text: string, sessionId = 'one') => {
    const body = new URLSearchParams({ sessionId, phoneNumber: '+212600000001', text });
    const answer = await fetch(`${wasl.url}/ussd/africastalking`, { method: 'POST', body });
    return answer.text();
  };
  /** The lines of one metric, as Prometheus reads them. */
  const metric = async (name: string) => {
    const text = await (await fetch(`${wasl.metricsUrl}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  };
  /** Those of them that have counted something. */
  const counted = async (name: string) => (await metric(name)).filter((line) => !line.endsWith(' 0'));
  return { wasl, dial, metric, counted };
}

/** The metric of a query, and the labels that it needs. */
function selectorsIn(expr: string) {
  return [...expr.matchAll(/\b((?:wasl|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([text, name, labels = '']) => {
      const wanted = [...labels.matchAll(/(\w+)(!?=~?)"([^"]*)"/g)].map(([, label, how = '', value]) => {
        const pattern = new RegExp(`[{,]${label}="(?:${value})"`);
        return (line: string) => pattern.test(line) !== how.startsWith('!');
      });
      return {
        text,
        name: name as string,
        fits: (line: string) => wanted.every((isWanted) => isWanted(line)),
      };
    },
  );
}

test('every query of the alerts and the dashboard finds series before anything has happened', async () => {
  const { metric } = await measuredWasl();
  const { groups } = parse(readText('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const { panels } = JSON.parse(readText('deploy/grafana/dashboards/wasl.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  // So does every query of the runbooks.
  const runbooks = [...readText('docs/operator/runbooks.md').matchAll(/`([^`]*wasl_[^`]*)`/g)].map(
    ([, expr = '']) => ({ expr }),
  );
  const queries = [
    ...runbooks,
    ...groups.flatMap(({ rules }) => rules),
    ...panels.flatMap(({ targets }) => targets),
  ];
  const empty = async () => {
    const selectors = queries.flatMap(({ expr }) => selectorsIn(expr));
    const found = await Promise.all(
      selectors.map(async ({ name, fits }) =>
        [...(await metric(name)), ...(await metric(`${name}_count`))].some(fits),
      ),
    );
    return selectors.filter((_, i) => !found[i]).map(({ text }) => text);
  };
  // The recorder's figures are there after its run.
  await expect.poll(empty).toEqual([]);
});

test('odd fields of the wallet are counted from 0, by each path of the contract', async () => {
  const { metric } = await measuredWasl();
  const series = await metric('wasl_wallet_odd_fields_total');
  const paths = new Set(Object.values(API).map(({ path }) => path));
  expect(series.sort()).toEqual(
    [...paths, 'webhook'].map((from) => `wasl_wallet_odd_fields_total{from="${from}"} 0`).sort(),
  );
});

test('a transfer is seen in turns, calls, round trips and payments, and nobody in them', async () => {
  const { wasl, dial, metric, counted } = await measuredWasl();
  await dial('');
  await dial('3');
  for (const text of ['3*1', '3*1*0600000002', '3*1*0600000002*50']) await dial(text);
  const last = await dial('3*1*0600000002*50*1234');
  expect(last).toMatch(/^END/);

  expect(await metric('wasl_turns_total')).toEqual(
    expect.arrayContaining([
      'wasl_turns_total{channel="ussd",machine="transfer",outcome="shown"} 3',
      // A wallet that takes its time is heard of by SMS.
      expect.stringMatching(
        /^wasl_turns_total\{channel="ussd",machine="transfer",outcome="(?:ended|underway)"\} 1$/,
      ),
    ]),
  );
  expect(await counted('wasl_turn_seconds_count')).toEqual(['wasl_turn_seconds_count{channel="ussd"} 6']);
  expect(await metric('wasl_wallet_calls_total')).toContain(
    'wasl_wallet_calls_total{call="transfer",answer="ok"} 1',
  );
  const trips = await metric('wasl_store_trips_total');
  expect(trips.join('\n')).toMatch(/operation="commit",result="ok"\} \d+/);
  // The wallet's webhook brings the outcome.
  await expect.poll(() => counted('wasl_payment_changes_total')).not.toEqual([]);
  // Messages by SMS and messages kept for the next dial are both counted as in time or late.
  await expect.poll(() => counted('wasl_delivery_lag_seconds_count')).not.toEqual([]);
  // Its effects are seen before its own answer.
  await expect.poll(() => metric('wasl_webhooks_total')).toContain('wasl_webhooks_total{result="saved"} 1');

  await expect.poll(() => metric('wasl_turns_under_way')).toEqual(['wasl_turns_under_way 0']);
  const connections = await metric('wasl_wallet_connections');
  expect(connections).toEqual(
    expect.arrayContaining([
      'wasl_wallet_connections{compartment="customers",calls="act",state="waiting"} 0',
      'wasl_wallet_connections{compartment="customers",calls="act",state="max"} 256',
      'wasl_wallet_connections{compartment="background",calls="read",state="max"} 32',
    ]),
  );
  expect(await metric('wasl_concurrency')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^wasl_concurrency\{work="webhooks",state="limit"\} \d\d/),
      expect.stringMatching(/^wasl_concurrency\{work="due",state="under way"\} \d/),
    ]),
  );

  const all = await (await fetch(`${wasl.metricsUrl}/metrics`)).text();
  expect(all).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(all).toContain('process_resident_memory_bytes');
  for (const secret of ['600000001', '600000002', '1234']) expect(all).not.toContain(`"${secret}`);
});

test('a worker says how late it is', async () => {
  const { metric } = await measuredWasl();
  // Every few seconds once more: nobody knows how often by the first look.
  await expect
    .poll(() => metric('wasl_worker_lag_seconds_count'))
    .toEqual([expect.stringMatching(/^wasl_worker_lag_seconds_count [1-9]\d*$/)]);
});

test('current states are read at the time of the request', async () => {
  const { wasl, metric } = await measuredWasl();
  const flags = async () => [await metric('wasl_draining'), await metric('wasl_replicas_missing')].flat();
  expect(await flags()).toEqual(['wasl_draining 0', 'wasl_replicas_missing 0']);
  await wasl.drain();
  expect(await flags()).toEqual(['wasl_draining 1', 'wasl_replicas_missing 0']);
});

test('the port of customers shows no metrics', async () => {
  const { wasl } = await measuredWasl();
  expect((await fetch(`${wasl.url}/metrics`)).status).toBe(404);
});
