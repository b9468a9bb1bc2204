/** A program and its arguments. Never a line for a shell: whoever runs it quotes, in one place. */
export type Argv = readonly [program: string, ...args: string[]];

/** How a command ended on a host. */
export interface Ran {
  /** As a shell says it: 128 and the number of the signal, where one ended it; 127 where there is no such program. */
  readonly exitCode: number;
  /** As they came, bounded; nobody may show them without making them harmless first. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** What is asked of a host by one command. */
export interface Question<Answer> {
  readonly argv: Argv;
  /** `undefined` when what came back makes no sense. */
  read(ran: Ran): Answer | undefined;
}

/** A script of ours that ends with this code will not succeed however often it is tried; its last line says why. */
export const NEVER = 78;
