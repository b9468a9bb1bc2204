/** `refused`: the receiver answered, and did not take it in. `unanswered`: nothing came back. */
export const DELIVERY_RESULTS = ['delivered', 'refused', 'unanswered'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Who counts what becomes of events. */
export interface EventMeter {
  /** One who read too slowly, or what it wanted to read was not there. */
  readerCut(): void;
  webhookSent(result: DeliveryResult, seconds: number): void;
}
