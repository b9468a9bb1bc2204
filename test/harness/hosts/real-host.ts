import type { Argv } from '../../../src/domain/command.ts';
import type { Power } from './power.ts';
import { childrenOf, descendantsOf, nameOf, signalAll } from './process-tree.ts';
import type { ToolRan } from './run-tool.ts';
import { tryTool } from './run-tool.ts';
import { AUTHORIZED_KEYS } from './sshd-settings.ts';

/** What can be done with a host of the tests, of whatever kind, past its sshd: it is inside of this machine. */
export abstract class RealHost {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  abstract readonly power: Power;

  constructor(name: string, address: string, port: number) {
    this.name = name;
    this.address = address;
    this.port = port;
  }

  /** What it shows of itself, without a comment. */
  abstract get hostKey(): string;

  /** PID 1 of the host, as this machine numbers it. */
  abstract firstProcess(): Promise<number>;

  /** Switches it on, and waits until it can be reached. */
  abstract powerOn(): Promise<void>;

  /** In an orderly way, as by a command on it. It is up again when this is done. */
  abstract reboot(): Promise<void>;

  /** Ends it forever. */
  abstract stop(): Promise<void>;

  /** At once, as when the plug is pulled. */
  powerOff(): Promise<void> {
    return this.power.off();
  }

  /** Runs something on it as root. */
  async run(argv: Argv, input = ''): Promise<ToolRan> {
    return tryTool(['nsenter', '-t', String(await this.firstProcess()), '--all', '--', ...argv], { input });
  }

  /** The same; it must succeed. Answers what it printed. */
  async must(argv: Argv, input = ''): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(argv, input);
    if (exitCode !== 0)
      throw new Error(`${argv.join(' ')} on ${this.name} exited with ${exitCode}:\n${stdout}${stderr}`);
    return stdout;
  }

  read(file: string): Promise<string> {
    return this.must(['cat', file]);
  }

  async write(file: string, text: string, mode = 0o644): Promise<void> {
    const script = 'mkdir -p "$(dirname "$1")" && cat >"$1" && chmod "$2" "$1"';
    await this.must(['sh', '-c', script, 'sh', file, mode.toString(8)], text);
  }

  async bootId(): Promise<string> {
    return (await this.read('/proc/sys/kernel/random/boot_id')).trim();
  }

  /** Whom it lets in, instead of the key of this run. */
  setAuthorizedKeys(lines: readonly string[]): Promise<void> {
    return this.write(`/${AUTHORIZED_KEYS}`, lines.map(line => `${line}\n`).join(''));
  }

  /** The processes of sshd, `sshd-session` and the like among them in newer versions: that which listens, and those of the connections. */
  protected async sshd(): Promise<{ listener: number[]; sessions: number[] }> {
    const first = await this.firstProcess();
    const listener = childrenOf(first).filter(pid => nameOf(pid) === 'sshd');
    const sessions = listener.flatMap(descendantsOf).filter(pid => /^sshd/.test(nameOf(pid)));
    return { listener, sessions };
  }

  /** Cuts every connection. What runs on the host goes on. */
  async cut(): Promise<void> {
    signalAll((await this.sshd()).sessions, 'SIGKILL');
  }

  /** Its sshd says nothing any more, to nobody; connections stay. */
  async freeze(): Promise<void> {
    const { listener, sessions } = await this.sshd();
    signalAll([...listener, ...sessions], 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    const { listener, sessions } = await this.sshd();
    signalAll([...listener, ...sessions], 'SIGCONT');
  }
}
