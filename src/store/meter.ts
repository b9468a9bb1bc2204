/** `rolled_back`: the transaction returned an error. `unavailable`: the store was unavailable. `failed`: an unexpected exception. */
export const TRANSACTION_OUTCOMES = ['committed', 'rolled_back', 'unavailable', 'failed'] as const;
export type TransactionOutcome = (typeof TRANSACTION_OUTCOMES)[number];

/** Who counts what the store is asked. */
export interface StoreMeter {
  /** `runs`: how often its work was run until then. */
  transactionEnded(outcome: TransactionOutcome, seconds: number, runs: number): void;
  snapshotEnded(seconds: number): void;
  /** One statement, from asking to the answer, be it a failure. */
  statementEnded(seconds: number): void;
}
