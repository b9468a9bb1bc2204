// A real swarm of Docker daemons in their own namespaces on the bridge of this run. They end with this
// process and reach only the bridge. The next run removes the files of a killed process.

import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import { runAuthority } from '../certificates/certificate-authority.ts';
import type { ClientCertificate } from '../certificates/certificates.ts';
import type { TlsContents } from '../http/json-request.ts';
import { readTlsFiles } from '../http/json-request.ts';
import { findProgram } from '../programs/find-program.ts';
import type { ToolResult } from '../programs/run-tool.ts';
import { runTool } from '../programs/run-tool.ts';
import { cgroupName, runBridge, runFolder } from '../real-hosts/run-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { DockerNode } from './docker-node.ts';

const MOVE_MS = 60_000;

interface SwarmTask {
  readonly NodeID?: string;
  readonly Status?: { readonly State?: string };
}

export class Swarm {
  /** Also runs tasks. */
  readonly manager: DockerNode;
  /** Running daemons that have not joined. */
  readonly others: readonly DockerNode[];
  readonly tls: ClientCertificate;
  readonly #imageId: string;

  constructor(manager: DockerNode, others: readonly DockerNode[], tls: ClientCertificate, imageId: string) {
    this.manager = manager;
    this.others = others;
    this.tls = tls;
    this.#imageId = imageId;
  }

  /** `docker` uses the daemon of the node. */
  run(node: DockerNode, argv: Argv, input = ''): Promise<ToolResult> {
    return node.run(argv, input);
  }

  async #request(target: string, body?: unknown): Promise<unknown> {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await this.manager.request(target, { method, body });
    if (response.status >= 300)
      throw new Error(`${method} ${target}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async workerToken(): Promise<string> {
    const { JoinTokens } = (await this.#request('/swarm')) as { JoinTokens: { Worker: string } };
    return JoinTokens.Worker;
  }

  /** Creates a service whose tasks sleep. Returns before the tasks run. */
  async createService(name: string, replicas: number): Promise<void> {
    await this.#request('/services/create', {
      Name: name,
      Mode: { Replicated: { Replicas: replicas } },
      TaskTemplate: {
        // An image ID avoids a registry lookup. PID 1 ignores SIGTERM.
        ContainerSpec: {
          Image: this.#imageId,
          Command: ['/busybox', 'sleep', '86400'],
          StopSignal: 'SIGKILL',
        },
        RestartPolicy: { Condition: 'any', Delay: 0 },
      },
    });
  }

  /** Node IDs, one for each running task. */
  async runningOn(service: string): Promise<string[]> {
    const filters = encodeURIComponent(JSON.stringify({ service: [service], 'desired-state': ['running'] }));
    const tasks = (await this.#request(`/tasks?filters=${filters}`)) as SwarmTask[];
    return tasks.filter(task => task.Status?.State === 'running').map(task => task.NodeID ?? '');
  }

  /** Returns the node IDs of the running tasks. */
  waitUntilRunning(service: string, replicas: number): Promise<string[]> {
    const findNodes = async () => {
      const nodes = await this.runningOn(service);
      return nodes.length === replicas && nodes;
    };
    return waitUntil(`${replicas} tasks of ${service} run`, findNodes, MOVE_MS);
  }

  async stop(): Promise<void> {
    await Promise.all([this.manager, ...this.others].map(node => node.stop()));
  }
}

export interface SwarmOptions {
  /** Daemons besides the manager. */
  readonly others?: 1 | 2;
}

/** Systemd hosts use the addresses below. */
const FIRST_ADDRESS = 200;
const IMAGE = 'sleeper:1';

let count = 0;

async function createNode(authority: CertificateAuthority, tls: TlsContents): Promise<DockerNode> {
  const [run, bridge] = [await runFolder(), await runBridge()];
  const index = count++;
  // Also the name of the network interface, which has at most 15 characters.
  const name = `d${run.number}-${index}`;
  const address = bridge.hostAddress(FIRST_ADDRESS + index);
  const server = authority.issue(`/CN=${name}`, [`IP:${address}`]);
  const options = { name, folder: path.join(run.folder, name), address, bridge: bridge.name };
  const settings = ['--tlscacert', authority.caPath, '--tlscert', server.cert, '--tlskey', server.key];
  return new DockerNode({ ...options, cgroup: path.join(cgroupName(run.number), name), settings }, tls);
}

/** Loads an image with one program on all nodes and returns its ID. */
async function loadImage(folder: string, [first, ...rest]: readonly [DockerNode, ...DockerNode[]]): Promise<string> {
  mkdirSync(path.join(folder, 'root'), { recursive: true });
  copyFileSync(findProgram('busybox'), path.join(folder, 'root/busybox'));
  const [root, image] = [path.join(folder, 'root.tar'), path.join(folder, 'image.tar')];
  await runTool(['tar', '-C', path.join(folder, 'root'), '-cf', root, 'busybox']);
  const id = await first.runChecked(['docker', 'import', root, IMAGE]);
  await first.runChecked(['docker', 'save', '-o', image, IMAGE]);
  for (const node of rest) await node.runChecked(['docker', 'load', '-q', '-i', image]);
  return id.trim();
}

async function initialise(manager: DockerNode): Promise<void> {
  const { address } = manager;
  const { status, body } = await manager.request('/swarm/init', {
    method: 'POST',
    body: { ListenAddr: `${address}:2377`, AdvertiseAddr: address },
  });
  if (status !== 200) throw new Error(`could not create a swarm: ${status} ${JSON.stringify(body)}`);
}

/**
 * Starts a swarm with one manager, and daemons that have not joined it. All have the image of
 * `createService`.
 */
export async function startSwarm({ others = 1 }: SwarmOptions = {}): Promise<Swarm> {
  const [{ folder }, authority] = [await runFolder(), await runAuthority()];
  const tls = { caPath: authority.caPath, ...authority.issue('/CN=docker-client') };
  const files = readTlsFiles(tls);
  const manager = await createNode(authority, files);
  const workers: DockerNode[] = [];
  for (let index = 0; index < others; index++) workers.push(await createNode(authority, files));
  await Promise.all([manager, ...workers].map(node => node.powerOn()));
  const imageId = await loadImage(path.join(folder, `image-of-${manager.name}`), [manager, ...workers]);
  await initialise(manager);
  return new Swarm(manager, workers, tls, imageId);
}
