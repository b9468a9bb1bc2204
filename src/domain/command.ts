/** A program and its arguments. Never a line for a shell: whoever runs it quotes, in one place. */
export type Argv = readonly [program: string, ...args: string[]];

/** How a command ended on a host. */
export interface CommandResult {
  /** As a shell says it: 128 and the number of the signal, where one ended it; 127 where there is no such program. */
  readonly exitCode: number;
  /** As they came, bounded; nobody may show them without making them harmless first. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** What is asked of a host by one command. */
export interface HostQuery<Answer> {
  readonly argv: Argv;
  /** `undefined` when what came back makes no sense. */
  parse(result: CommandResult): Answer | undefined;
}

/** A script of ours that ends with this code will not succeed however often it is tried; its last line says why. */
export const EXIT_PERMANENT_FAILURE = 78;

/** What only sets the environment of the program that follows. */
const isEnvArgument = (word: string): boolean => /^(?:-i|[A-Za-z_]\w*=.*)$/s.test(word);

/** What people know a command by: its program, without the folder; not `env` where that only sets the environment. Never an argument. */
export function executableName([first, ...rest]: Argv): string {
  const command = first === 'env' ? rest.find(word => !isEnvArgument(word)) : undefined;
  const program = command === undefined || command.startsWith('-') ? first : command;
  return program.slice(program.lastIndexOf('/') + 1);
}
