import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import type { JsonRequest, JsonResponse, TlsContents } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import type { ToolResult } from '../programs/run-tool.ts';
import { checkExitCode, removeTree, runTool, tryTool } from '../programs/run-tool.ts';
import { removeCgroups } from '../real-hosts/cgroups.ts';
import { HostProcess } from '../real-hosts/host-process.ts';
import { waitUntil } from '../wait-until.ts';

const BOOT_SCRIPT = path.join(import.meta.dirname, 'scripts/boot.sh');
const NAMESPACES = ['--mount', '--uts', '--ipc', '--pid', '--net', '--fork', '--kill-child'];
const START_MS = 60_000;

export interface DockerNodeOptions {
  readonly name: string;
  readonly folder: string;
  readonly address: string;
  readonly bridge: string;
  readonly cgroup: string;
  /** Further arguments of the daemon. */
  readonly settings: readonly string[];
}

/**
 * A Docker daemon with its own host name, network interface and socket. It shares the file system of this
 * machine.
 */
export class DockerNode {
  readonly name: string;
  readonly address: string;
  /** Engine API over TLS with client certificates. */
  readonly url: string;
  readonly #options: DockerNodeOptions;
  readonly #process: HostProcess;
  readonly #tls: TlsContents;

  constructor(options: DockerNodeOptions, tls: TlsContents) {
    const { name, folder, address, cgroup, settings } = options;
    this.name = name;
    this.address = address;
    this.url = `https://${address}:2376`;
    this.#options = options;
    this.#tls = tls;
    this.#process = new HostProcess({
      boot: () => [
        ...(['unshare', ...NAMESPACES, BOOT_SCRIPT, folder, name, cgroup] as const),
        ...['eth0', address, ...settings],
      ],
      isReboot: () => false,
    });
  }

  async #connectNetwork(): Promise<void> {
    const firstPid = String(await this.#process.firstProcess());
    const { name, bridge } = this.#options;
    // The kernel removes the interface of a previous run asynchronously.
    await waitUntil(`${name} is free`, () => !existsSync(`/sys/class/net/${name}`));
    await runTool(['ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', firstPid]);
    await runTool(['ip', 'link', 'set', name, 'master', bridge, 'up']);
  }

  /** Returns when the daemon responds. */
  async powerOn(): Promise<void> {
    mkdirSync(this.#options.folder, { recursive: true });
    this.#process.start();
    await this.#connectNetwork();
    const ping = () => this.request('/_ping', { timeoutMs: 1_000 }).catch(() => undefined);
    const isUp = async () => {
      if (!this.#process.isRunning) throw new Error(`${this.name} did not start:\n${this.#process.console}`);
      return (await ping())?.status === 200;
    };
    await waitUntil(`${this.name} answers`, isUp, START_MS).catch(error => {
      throw new Error(`${error}\n${this.#process.console}`);
    });
  }

  /** Kills the daemon and its containers; its disk remains. */
  powerOff(): Promise<void> {
    return this.#process.stop();
  }

  request(target: string, options: JsonRequest = {}): Promise<JsonResponse> {
    return requestJson(`${this.url}${target}`, { tls: this.#tls, ...options });
  }

  /** Runs a command in the namespaces of the daemon. */
  async run(argv: Argv, input = ''): Promise<ToolResult> {
    const firstPid = String(await this.#process.firstProcess());
    return tryTool(['nsenter', '-t', firstPid, '--all', '--', ...argv], { input });
  }

  /** Throws if the command fails. */
  async runChecked(argv: Argv, input = ''): Promise<string> {
    return checkExitCode(`${argv.join(' ')} on ${this.name}`, await this.run(argv, input));
  }

  async stop(): Promise<void> {
    await this.powerOff();
    await removeCgroups(this.#options.cgroup);
    await removeTree(this.#options.folder);
  }
}
