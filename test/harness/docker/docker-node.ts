import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import { removeCgroups } from '../hosts/cgroups.ts';
import { Power } from '../hosts/power.ts';
import { removeTree } from '../hosts/remove-tree.ts';
import type { ToolRan } from '../hosts/run-tool.ts';
import { runTool, tryTool } from '../hosts/run-tool.ts';
import type { JsonAnswer, JsonRequest, TlsContents } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { until } from '../until.ts';

const BOOT_SCRIPT = path.join(import.meta.dirname, 'scripts/boot.sh');
const NAMESPACES = ['--mount', '--uts', '--ipc', '--pid', '--net', '--fork', '--kill-child'];
const START_MS = 60_000;

export interface DockerNodePlace {
  readonly name: string;
  readonly folder: string;
  readonly address: string;
  readonly bridge: string;
  readonly cgroup: string;
  /** What its daemon shows to whom, as arguments. */
  readonly settings: readonly string[];
}

/** A daemon with a name, a network card and a socket of its own, as on a host of its own. The file system is that of this machine. */
export class DockerNode {
  readonly name: string;
  readonly address: string;
  /** Of its Engine API, over TLS with client certificates. */
  readonly url: string;
  readonly #place: DockerNodePlace;
  readonly #power: Power;
  readonly #tls: TlsContents;

  constructor(place: DockerNodePlace, tls: TlsContents) {
    const { name, folder, address, cgroup, settings } = place;
    this.name = name;
    this.address = address;
    this.url = `https://${address}:2376`;
    this.#place = place;
    this.#tls = tls;
    this.#power = new Power({
      boot: () => [
        ...(['unshare', ...NAMESPACES, BOOT_SCRIPT, folder, name, cgroup] as const),
        ...['eth0', address, ...settings],
      ],
      isReboot: () => false,
    });
  }

  async #plugIn(): Promise<void> {
    const first = String(await this.#power.firstProcess());
    const { name, bridge } = this.#place;
    // The kernel removes the card of an earlier time in its own time.
    await until(`${name} is free`, () => !existsSync(`/sys/class/net/${name}`));
    await runTool(['ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', first]);
    await runTool(['ip', 'link', 'set', name, 'master', bridge, 'up']);
  }

  /** It answers when this is done. */
  async powerOn(): Promise<void> {
    mkdirSync(this.#place.folder, { recursive: true });
    this.#power.on();
    await this.#plugIn();
    const asked = () => this.request('/_ping', { timeoutMs: 1_000 }).catch(() => undefined);
    const isUp = async () => {
      if (!this.#power.isOn) throw new Error(`${this.name} did not start:\n${this.#power.console}`);
      return (await asked())?.status === 200;
    };
    await until(`${this.name} answers`, isUp, START_MS).catch(error => {
      throw new Error(`${error}\n${this.#power.console}`);
    });
  }

  /** At once, as when the plug is pulled; its containers go with it, and what is on its disk stays. */
  powerOff(): Promise<void> {
    return this.#power.off();
  }

  /** Asks its Engine API. */
  request(target: string, options: JsonRequest = {}): Promise<JsonAnswer> {
    return requestJson(`${this.url}${target}`, { tls: this.#tls, ...options });
  }

  /** Runs something where its socket, name and network are. */
  async run(argv: Argv, input = ''): Promise<ToolRan> {
    const first = String(await this.#power.firstProcess());
    return tryTool(['nsenter', '-t', first, '--all', '--', ...argv], { input });
  }

  /** The same; it must succeed. Answers what it printed. */
  async must(argv: Argv, input = ''): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(argv, input);
    if (exitCode !== 0)
      throw new Error(`${argv.join(' ')} on ${this.name} exited with ${exitCode}:\n${stderr}`);
    return stdout;
  }

  async stop(): Promise<void> {
    await this.powerOff();
    await removeCgroups(this.#place.cgroup);
    await removeTree(this.#place.folder);
  }
}
