import type { TObject } from 'typebox';

// A network driver says what the hosts of a cluster need to reach each other's containers.

export interface NetworkDriver {
  /** What a network record's `type` says. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the record's options. Unknown options are refused; a property with `secret: true` is kept encrypted. */
  readonly options: TObject;
  /** Why no host can be brought into such a network; missing where it always can. */
  readonly problem?: (options: Readonly<Record<string, unknown>>) => string | undefined;
}
