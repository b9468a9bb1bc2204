/** How the program ends, for scripts. They never change. */
export const EXIT = {
  done: 0,
  /** An operation, or something else that was waited for, has failed. */
  failed: 1,
  /** The command itself is not as it should be. */
  usage: 2,
  /** No server answers, or none can at the moment. */
  unreachable: 3,
  /** The service refuses it. */
  refused: 4,
  /** The settings of the server, or what they name, are wrong in a way that only a person can mend; EX_CONFIG of sysexits.h. */
  misconfigured: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
