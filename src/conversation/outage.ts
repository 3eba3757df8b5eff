/** What is tried again and again while it fails: said once, and once more when it works again. */
interface Outage {
  failed(error: unknown): void;
  worked(): void;
}

export interface OutageOptions {
  readonly onError: (error: unknown, where: string) => void;
  /** Told how often it has failed until it worked again. */
  readonly onBack: (where: string, times: number) => void;
}

/** @param where what is tried, as the log names it: `worker` */
export function createOutage(where: string, { onError, onBack }: OutageOptions): Outage {
  let times = 0;
  return {
    failed(error) {
      if (times === 0) onError(error, where);
      times++;
    },
    worked() {
      if (times > 0) onBack(where, times);
      times = 0;
    },
  };
}
