/** `rejected`: the receiver answered with an error status. `no_response`: the receiver did not answer. */
export const DELIVERY_RESULTS = ['delivered', 'rejected', 'no_response'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Who counts what becomes of events. */
export interface EventMeter {
  /** One who read too slowly, or what it wanted to read was not there. */
  readerCut(): void;
  /** Whether the oldest entries of the log are still those that were written, by the last attempt to remove some. */
  logVerified(isIntact: boolean): void;
  webhookSent(result: DeliveryResult, seconds: number): void;
}
