export interface ProblemDefinition {
  readonly status: number;
  readonly summary: string;
  readonly cause: string;
  readonly action: string;
  /** Page with details, relative to `docs/`. */
  readonly docs?: string;
}

type ProblemTexts = Omit<ProblemDefinition, 'status'> & { readonly status?: number };

/** `status` is the default of problems without their own. */
export const defineProblems = <Code extends string>(status: number, problems: Readonly<Record<Code, ProblemTexts>>) =>
  Object.fromEntries(
    Object.entries<ProblemTexts>(problems).map(([code, texts]) => [code, { status, ...texts }]),
  ) as Readonly<Record<Code, ProblemDefinition>>;
