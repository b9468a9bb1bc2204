import type { Argv } from '../../../src/domain/command.ts';
import { listChildren, listDescendants, readProcessName, signalAll } from '../programs/proc-files.ts';
import type { ToolResult } from '../programs/run-tool.ts';
import { checkExitCode, tryTool } from '../programs/run-tool.ts';
import { AUTHORIZED_KEYS } from './host-access.ts';
import type { HostProcess } from './host-process.ts';

/** Control of a test host from this machine, bypassing sshd. */
export abstract class RealHost {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  abstract readonly hostProcess: HostProcess;

  constructor(name: string, address: string, port: number) {
    this.name = name;
    this.address = address;
    this.port = port;
  }

  /** Public key without a comment. */
  abstract get hostKey(): string;

  /** PID of init in the namespace of this machine. */
  abstract firstProcess(): Promise<number>;

  /** Returns when the host is reachable. */
  abstract powerOn(): Promise<void>;

  /** Orderly reboot; returns when the host is up again. */
  abstract reboot(): Promise<void>;

  /** Removes the host. */
  abstract stop(): Promise<void>;

  /** Kills the host like a power loss. */
  powerOff(): Promise<void> {
    return this.hostProcess.stop();
  }

  /** Runs a command as root. */
  async run(argv: Argv, input = ''): Promise<ToolResult> {
    return tryTool(['nsenter', '-t', String(await this.firstProcess()), '--all', '--', ...argv], { input });
  }

  /** Throws if the command fails. */
  async runChecked(argv: Argv, input = ''): Promise<string> {
    return checkExitCode(`${argv.join(' ')} on ${this.name}`, await this.run(argv, input));
  }

  read(file: string): Promise<string> {
    return this.runChecked(['cat', file]);
  }

  async write(file: string, text: string, mode = 0o644): Promise<void> {
    const script = 'mkdir -p "$(dirname "$1")" && cat >"$1" && chmod "$2" "$1"';
    await this.runChecked(['sh', '-c', script, 'sh', file, mode.toString(8)], text);
  }

  async bootId(): Promise<string> {
    return (await this.read('/proc/sys/kernel/random/boot_id')).trim();
  }

  /** Replaces the key of this run. */
  setAuthorizedKeys(lines: readonly string[]): Promise<void> {
    return this.write(`/${AUTHORIZED_KEYS}`, lines.map(line => `${line}\n`).join(''));
  }

  /** PIDs of sshd. Newer versions have processes such as `sshd-session`. */
  protected async sshd(): Promise<{ listener: number[]; sessions: number[] }> {
    const first = await this.firstProcess();
    const listener = listChildren(first).filter(pid => readProcessName(pid) === 'sshd');
    const sessions = listener.flatMap(listDescendants).filter(pid => /^sshd/.test(readProcessName(pid)));
    return { listener, sessions };
  }

  /** Commands on the host continue. */
  async cutConnections(): Promise<void> {
    signalAll((await this.sshd()).sessions, 'SIGKILL');
  }

  /** sshd stops responding; connections stay open. */
  async freeze(): Promise<void> {
    const { listener, sessions } = await this.sshd();
    signalAll([...listener, ...sessions], 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    const { listener, sessions } = await this.sshd();
    signalAll([...listener, ...sessions], 'SIGCONT');
  }
}
