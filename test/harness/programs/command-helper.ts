// Starting a process copies the page tables of its parent. From a test worker this takes ten times as much CPU time as
// from the helper process, which is small.

import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import path from 'node:path';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';

export interface CommandRequest {
  readonly id: number;
  readonly argv: Argv;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

export interface CommandReply {
  readonly id: number;
  readonly result?: CommandResult;
  readonly error?: string;
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

class CommandHelper {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<CommandResult>>();
  #requests = 0;

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, 'command-helper-process.ts'), {
      execArgv: [],
      serialization: 'advanced',
    });
    this.#child.on('message', (reply: CommandReply) => this.#settle(reply));
    this.#child.once('exit', () => {
      for (const id of this.#pending.keys()) this.#settle({ id, error: 'the helper process ended' });
    });
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isRunning(): boolean {
    return this.#child.connected;
  }

  #settle({ id, result, error }: CommandReply): void {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#child.channel?.unref();
    if (result) request?.resolve(result);
    else request?.reject(new Error(error));
  }

  run(argv: Argv, { env, input = '' }: RunOptions): Promise<CommandResult> {
    this.#requests += 1;
    const request: CommandRequest = { id: this.#requests, argv, env, input };
    const settled = Promise.withResolvers<CommandResult>();
    this.#pending.set(request.id, settled);
    this.#child.channel?.ref();
    this.#child.send(request);
    return settled.promise;
  }
}

let helper: CommandHelper | undefined;

/** Runs a command in its own process group. Fails if the program does not exist. */
export function runCommandInHelper(argv: Argv, options: RunOptions): Promise<CommandResult> {
  if (!helper?.isRunning) helper = new CommandHelper();
  return helper.run(argv, options);
}
