export interface ProblemKind {
  readonly status: number;
  /** What happened. */
  readonly meaning: string;
  /** The usual cause, or where to find it. */
  readonly cause: string;
  /** What to do. */
  readonly remedy: string;
  /** The page with more information, relative to `docs/`. */
  readonly guide?: string;
}
