export interface ProblemDefinition {
  readonly status: number;
  /** What happened. */
  readonly summary: string;
  /** The usual cause, or where to find it. */
  readonly cause: string;
  /** What to do. */
  readonly action: string;
  /** The page with more information, relative to `docs/`. */
  readonly docs?: string;
}
