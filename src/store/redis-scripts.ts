import { createHash } from 'node:crypto';

/** A Lua script and the name under which Redis remembers it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Stands for the moment at which a document is due already. */
export const DUE_KEPT = '=';

/**
 * Writes one commit, or nothing: 1, or 0 when a version moved. Every version is checked before the first write, and
 * a refused first write (out of memory, read-only replica) leaves nothing behind.
 *
 * KEYS: turn stream, then one document each, then the due index of each of them. ARGV: the turn record ('' for none), the
 * length to cut the stream to ('' not to cut it this time), then for each document the prefix it must have (`12|`; '' when it
 * must not exist), the new text with its own prefix ('' deletes), the moment it is due and the moment it is forgotten ('' for
 * none; `DUE_KEPT` leaves the due entry as it is). Everything is text, as converting a Lua number costs more than the command it
 * is for. `keyAt` is where a document's own key begins in the Redis key; who watches hears the turn on `channel`, on every node
 * of a cluster.
 */
export function commitScript(keyAt: number, channel: string): Script {
  return script(`
local KEYS, ARGV, call, sub = KEYS, ARGV, redis.call, string.sub
local docs = (#KEYS - 1) / 2
for i = 1, docs do
  local expected, head = ARGV[i * 4 - 1], call('GETRANGE', KEYS[i + 1], '0', '16')
  if expected ~= '' then head = sub(head, 1, #expected) end
  if head ~= expected then return 0 end
end
for i = 1, docs do
  local key, at = KEYS[i + 1], i * 4 - 1
  local text, due, keep = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if text == '' then call('DEL', key)
  elseif keep == '' then call('SET', key, text)
  else call('SET', key, text, 'PXAT', keep) end
  if due == '' then call('ZREM', KEYS[i + 1 + docs], sub(key, ${keyAt}))
  elseif due ~= '${DUE_KEPT}' then call('ZADD', KEYS[i + 1 + docs], due, sub(key, ${keyAt})) end
end
local turn, length = ARGV[1], ARGV[2]
if length ~= '' then call('XADD', KEYS[1], 'MAXLEN', '~', length, '*', 'r', turn)
elseif turn ~= '' then call('XADD', KEYS[1], '*', 'r', turn) end
if turn ~= '' then call('PUBLISH', '${channel}', turn) end
return 1`);
}

/**
 * What is due in one partition: keys and moments, one after the other, at most so many of each index, its earliest first.
 *
 * KEYS: the due indexes. ARGV: now, how many.
 */
export const LOOK: Script = script(`
local found = {}
for i = 1, #KEYS do
  local due = redis.call('ZRANGE', KEYS[i], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', '0', ARGV[2], 'WITHSCORES')
  for j = 1, #due do found[#found + 1] = due[j] end
end
return found`);

/**
 * Leases the documents that are still due and still exist, and gives their keys in the order asked. A document that
 * Redis has forgotten since (`keepUntil`) loses its due entry here, in the same step that saw it gone.
 *
 * KEYS: one document each, then the due index of each of them, then the index for all. ARGV: now, end of the lease. An entry that
 * stands in the index for all, where releases before the indexes by kind wrote it, moves to the document's own index.
 */
export function leaseScript(keyAt: number): Script {
  return script(`
local call, given, now, docs = redis.call, {}, tonumber(ARGV[1]), (#KEYS - 1) / 2
local all = KEYS[#KEYS]
for i = 1, docs do
  local key, index = string.sub(KEYS[i], ${keyAt}), KEYS[i + docs]
  local before = index ~= all and call('ZSCORE', all, key)
  local due = call('ZSCORE', index, key) or before
  if due and tonumber(due) <= now then
    if before then call('ZREM', all, key) end
    if call('EXISTS', KEYS[i]) == 0 then
      call('ZREM', index, key)
    else
      call('ZADD', index, ARGV[2], key)
      given[#given + 1] = key
    end
  end
end
return given`);
}

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
