/** `refused`: the receiver answered, and did not take it in. `unanswered`: nothing came back. */
export const DELIVERY_RESULTS = ['delivered', 'refused', 'unanswered'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Who counts what becomes of events. */
export interface EventMeter {
  /** One who read too slowly, or what it wanted to read was not there. */
  readerCut(): void;
  /** Whether the oldest entries of the log are still those that were written, by the last attempt to remove some. */
  logVerified(isIntact: boolean): void;
  webhookSent(result: DeliveryResult, seconds: number): void;
}
