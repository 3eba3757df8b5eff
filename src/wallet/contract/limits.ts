/** Partner API v2.3, "Limits": the most a wallet may hold, by account level, in centimes. Merchants negotiate theirs. */
export const BALANCE_MAX_CENTIMES = { 1: 100_000, 2: 400_000, 3: 2_000_000, 4: 10_000_000 } as const;
export type AccountLevel = keyof typeof BALANCE_MAX_CENTIMES;

export const NAME_LENGTH_MIN = 2;
export const CIN_LENGTH_MIN = 5;
/** Not shown in v2.3: no longest name or number. */
export const NAME_LENGTH_MAX = 50;
export const CIN_LENGTH_MAX = 20;
export const PIN_DIGITS = 4;
export const PAGE_SIZE_DEFAULT = 10;

/** Not shown in v2.3: how large one document is, and all of a request together. */
export const KYC_FILE_BYTES_MAX = 5_000_000;
export const KYC_REQUEST_BYTES_MAX = 32_000_000;
/** Partner API v2.3, "Limits". */
export const RIB_DIGITS = 24;
export const CVV_DIGITS = 3;
export const CUSTOM_DATA_LENGTH_MAX = 128;
export const BANK_REASON_LENGTH_MAX = 35;

/** Partner API v2.3, "Delivery contract": how long the partner may take to answer a webhook. */
export const WEBHOOK_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
/** The waits between attempts. After the last of them, there is one every `WEBHOOK_RETRY_EVERY_MS`. */
export const WEBHOOK_RETRIES_MS = [1, 5, 30, 60].map((minutes) => minutes * MINUTE_MS);
export const WEBHOOK_RETRY_EVERY_MS = 6 * 60 * MINUTE_MS;
/** Counted from the first attempt. After it the event is undeliverable. */
export const WEBHOOK_RETRY_HORIZON_MS = 72 * 60 * MINUTE_MS;
