export interface ProblemKind {
  readonly status: number;
  /** What happened. */
  readonly meaning: string;
  /** Why it comes to that, or where to look for why. */
  readonly cause: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The page in `docs/guides/` that has more. */
  readonly guide?: string;
}
