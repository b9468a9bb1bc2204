/** A program and its arguments, never a shell command line. Only the transport quotes. */
export type Argv = readonly [program: string, ...args: string[]];

/** Values are passed as arguments, never inside the script. */
export const scriptArgv = (script: string, ...args: readonly string[]): Argv => ['sh', '-c', script, 'sh', ...args];

/** Returns the arguments if the command runs this script. */
export const parseScriptArgs = (script: string, [program, flag, text, , ...args]: Argv): string[] | undefined =>
  program === 'sh' && flag === '-c' && text === script ? args : undefined;

export interface CommandResult {
  /** As in a shell: 128 plus the signal number after a signal, 127 if the program does not exist. */
  readonly exitCode: number;
  /** Raw output of limited size. It must be sanitized before it is shown. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

export interface HostQuery<Answer> {
  readonly argv: Argv;
  /** Returns `undefined` if the output is malformed. */
  parse(result: CommandResult): Answer | undefined;
}

/** Our scripts exit with it if a retry cannot succeed. The last line of the output is the reason. */
export const EXIT_PERMANENT_FAILURE = 78;

const isEnvArgument = (word: string): boolean => /^(?:-i|[A-Za-z_]\w*=.*)$/s.test(word);

/** For messages. Never contains an argument, which can be a secret. */
export function executableName([first, ...rest]: Argv): string {
  const command = first === 'env' ? rest.find(word => !isEnvArgument(word)) : undefined;
  const program = command === undefined || command.startsWith('-') ? first : command;
  return program.slice(program.lastIndexOf('/') + 1);
}
