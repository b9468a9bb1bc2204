export interface Setting<T> {
  readonly help: string;
  /** As in hostler.yaml; missing if the setting has no default. */
  readonly default?: string;
  /** Not available as a flag, because all users of the machine can read the arguments of a process. */
  readonly isSecret?: true;
  readonly isSwitch?: true;
  readonly parse: (raw: unknown) => T;
}

/** Preserves the exact type of the value. */
export const setting = <T, const S extends Setting<T>>(definition: S & Setting<T>): S & Setting<T> =>
  definition;
