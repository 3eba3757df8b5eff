import { expect, test } from 'vitest';
import { called, turn } from '../records.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('each table of today is saved as CSV with the page’s filters', async () => {
  const at = Date.now();
  const failed = [called('preview', { kind: 'refused', code: '20005' })];
  stage.past = [
    {
      records: [
        turn({ at, to: 'transfer.askingAmount', lagMs: 1_000 }),
        turn({ at: at + 5_000, from: 'transfer.askingAmount', to: 'transfer.askingPin', ran: failed }),
      ],
    },
  ];
  const nadia = as('nadia');
  const saved = async (path: string) => (await nadia.text(`/today/csv/${path}`)).trim().split('\r\n');
  const head = 'machine,started,completed,failed,unknown,dropped';
  expect(await saved('conversations')).toEqual([head, 'transfer,1,0,0,0,0']);
  expect(await saved('conversations?channel=web')).toEqual([head]);
  const states = await saved('states');
  expect(states).toHaveLength(3);
  expect(states[1]).toMatch(/^transfer\.askingAmount,1,0,\d+$/);
  expect(await saved('failures')).toEqual([
    'call,outcome,times',
    expect.stringMatching(/^preview,.*20005,1$/),
  ]);
  expect((await saved('webhookLag'))[1]).toMatch(/^1,\d+,\d+$/);
  expect((await nadia.get('/today/csv/others')).status).toBe(404);
  const links = (await nadia.text('/today')).match(/href="[^"]*today\/csv\/\w+/g);
  expect(links).toHaveLength(4);
});
