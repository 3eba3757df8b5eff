import { createHash } from 'node:crypto';

/** A Lua script and the name under which Redis remembers it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Stands for the moment at which a document is due already. */
export const DUE_KEPT = '=';

/**
 * Writes one commit, or nothing: 1, or 0 when a version moved. Every version is checked before the first write, and a
 * refused first write (out of memory, read-only replica) leaves nothing behind.
 *
 * KEYS: the turn stream, then each document, then the due index of each document. ARGV: the turn record, its payments, and
 * the length to cut the stream to. Each of them is '' for none. Four values follow for each document. They are the prefix it must have (`12|`, or ''
 * when it must not exist), the new text with its own prefix ('' deletes), the moment it is due, and the moment it is forgotten. A moment is '' for
 * none, and `DUE_KEPT` leaves the due entry as it is. Everything is text, because converting a Lua number costs more than the command that needs it.
 * `keyAt` is the place of a document's own key in the Redis key. Watchers hear the turn on the partition's channel. Its name is the stream's without
 * its last letter (`wasl:{p017}turn`). Without a watcher nothing is published, because replicas would be told of it.
 */
export function commitScript(keyAt: number): Script {
  return script(`
local KEYS, ARGV, call, sub = KEYS, ARGV, redis.call, string.sub
local docs = (#KEYS - 1) / 2
for i = 1, docs do
  local expected, head = ARGV[i * 4], call('GETRANGE', KEYS[i + 1], '0', '16')
  if expected ~= '' then head = sub(head, 1, #expected) end
  if head ~= expected then return 0 end
end
for i = 1, docs do
  local key, at = KEYS[i + 1], i * 4
  local text, due, keep = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if text == '' then call('DEL', key)
  elseif keep == '' then call('SET', key, text)
  else call('SET', key, text, 'PXAT', keep) end
  if due == '' then call('ZREM', KEYS[i + 1 + docs], sub(key, ${keyAt}))
  elseif due ~= '${DUE_KEPT}' then call('ZADD', KEYS[i + 1 + docs], due, sub(key, ${keyAt})) end
end
local turn, payments, length = ARGV[1], ARGV[2], ARGV[3]
if payments ~= '' then call('XADD', KEYS[1], '*', 'r', turn, 'p', payments)
elseif turn ~= '' then call('XADD', KEYS[1], '*', 'r', turn) end
if length ~= '' then call('XTRIM', KEYS[1], 'MAXLEN', '~', length) end
if turn ~= '' then
  local channel = sub(KEYS[1], 1, -2)
  if call('PUBSUB', 'SHARDNUMSUB', channel)[2] > 0 then call('SPUBLISH', channel, turn) end
end
return 1`);
}

/**
 * The due documents of some partitions: for each partition keys and moments, one after the other, at most so many of each
 * index, its earliest first.
 *
 * KEYS: the first due index of each partition, of documents in no list. ARGV: now, how many are asked for of each index,
 * then the endings of the other indexes of a partition. They are in its slot, and naming each of them costs more than
 * looking into it.
 */
export const LOOK: Script = script(`
local KEYS, ARGV, call = KEYS, ARGV, redis.call
local function look(there, index)
  local due = call('ZRANGE', index, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', '0', ARGV[2], 'WITHSCORES')
  for i = 1, #due do there[#there + 1] = due[i] end
end
local found = {}
for i = 1, #KEYS do
  local there = {}
  look(there, KEYS[i])
  for kind = 3, #ARGV do look(there, KEYS[i] .. ARGV[kind]) end
  found[i] = there
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

/**
 * Turn records later than an id: those that were kept beyond the limit, then those of the stream. After them come the number
 * of both, the greatest id of the stream, the recorded position and the number of lost turns.
 *
 * KEYS: the stream, the kept part of it, the recorded position, the number of lost turns. ARGV: after which id, how many.
 */
export const TURNS_AFTER: Script = script(`
local call, after, count = redis.call, ARGV[1], ARGV[2]
local function later(key) return count == '0' and {} or call('XRANGE', key, after, '+', 'COUNT', count) end
local last = ''
if call('EXISTS', KEYS[1]) == 1 then
  local info = call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do if info[i] == 'last-generated-id' then last = info[i + 1] end end
end
return { later(KEYS[2]), later(KEYS[1]), call('XLEN', KEYS[1]) + call('XLEN', KEYS[2]), last,
  call('GET', KEYS[3]) or '', tonumber(call('GET', KEYS[4]) or '0') }`);

/**
 * Says up to where a stream is recorded, and forgets what comes before an id ('' for nothing).
 *
 * KEYS: the stream, what was kept of it, up to where it is recorded. ARGV: up to where, which id is the first to stay.
 */
export const RECORDED: Script = script(`
redis.call('SET', KEYS[3], ARGV[1])
if ARGV[2] ~= '' then
  redis.call('XTRIM', KEYS[1], 'MINID', ARGV[2])
  redis.call('XTRIM', KEYS[2], 'MINID', ARGV[2])
end
return 1`);

/**
 * Takes the oldest entries out of a stream that is beyond its limit. Entries of payments are put aside under their ids.
 * Entries that nobody has recorded are counted as lost. Gives the number of lost ones.
 *
 * KEYS: as for TURNS_AFTER. ARGV: the limit, how many are looked at in one step.
 */
export const OVERFLOW: Script = script(`
local call = redis.call
local over = math.min(call('XLEN', KEYS[1]) - tonumber(ARGV[1]), tonumber(ARGV[2]))
if over <= 0 then return 0 end
local function parts(id) local ms, n = string.match(id, '^(%d+)-(%d+)$'); return tonumber(ms), tonumber(n) end
local ms, n = parts(call('GET', KEYS[3]) or '0-0')
local oldest, lost = call('XRANGE', KEYS[1], '-', '+', 'COUNT', over + 1), 0
for i = 1, over do
  local id, fields = oldest[i][1], oldest[i][2]
  local idMs, idN = parts(id)
  local isRecorded = idMs < ms or (idMs == ms and idN <= n)
  if not isRecorded and fields[3] == 'p' then call('XADD', KEYS[2], id, 'r', fields[2], 'p', fields[4])
  elseif not isRecorded then lost = lost + 1 end
end
call('XTRIM', KEYS[1], 'MINID', oldest[over + 1][1])
if lost > 0 then call('INCRBY', KEYS[4], lost) end
return lost`);

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
