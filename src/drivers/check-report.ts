/** What came of asking the server that a record describes. One that does not answer is told by throwing, with a message for people. */
export interface CheckReport {
  /** As the server calls itself; `''` where there is none, or it does not say. */
  readonly version: string;
  /** What is wrong with the options, or has to be put right at the server; empty: nothing. */
  readonly problems: readonly string[];
}
