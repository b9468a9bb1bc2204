export interface Suggestion {
  readonly word: string;
  readonly about: string;
}

/** The names of what an argument or option is called after; none where there are none, or nobody tells. */
export type Names = (what: string, typed: string) => Promise<readonly Suggestion[]>;
