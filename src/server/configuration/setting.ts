export interface Setting<T> {
  readonly help: string;
  /** As it would be written; missing when the setting is off by default. */
  readonly default?: string;
  /** Not offered as a flag: everyone on the machine can read a process's arguments. */
  readonly isSecret?: true;
  readonly isSwitch?: true;
  readonly parse: (raw: unknown) => T;
}

/** Keeps what exactly a setting's value is. */
export const setting = <T, const S extends Setting<T>>(definition: S & Setting<T>): S & Setting<T> =>
  definition;
