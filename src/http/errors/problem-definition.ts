export interface ProblemDefinition {
  readonly status: number;
  readonly summary: string;
  readonly cause: string;
  readonly action: string;
  /** Page with details, relative to `docs/`. */
  readonly docs?: string;
}
