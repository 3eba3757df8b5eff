import { expect, test } from 'vitest';
import { redisClient, startRedis } from './kit/redis-server.ts';

test('a server on a port that another one has is none: two tests would share their customers', async () => {
  const other = await startRedis();
  const client = await redisClient(other.url).connect();
  await client.set('whose', 'another one’s');
  await expect(startRedis({ port: other.port })).rejects.toThrow(`is port ${other.port} taken`);
  expect(await client.get('whose')).toBe('another one’s');
  client.destroy();
  await other.stop();
});
