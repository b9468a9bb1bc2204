// A real swarm of Docker daemons, each in namespaces of its own on the bridge of this run. What must hold: nothing of them outlives this
// process, and nothing reaches beyond the bridge. What a killed process leaves of them goes with its run folder.

import type { Argv } from '../../../src/domain/command.ts';
import type { ClientCertificate } from '../certificates/certificates.ts';
import type { ToolRan } from '../hosts/run-tool.ts';
import { until } from '../until.ts';
import type { DockerNode } from './docker-node.ts';

const MOVE_MS = 60_000;

interface Task {
  readonly NodeID?: string;
  readonly Status?: { readonly State?: string };
}

export class Swarm {
  /** It manages, and has tasks too. */
  readonly manager: DockerNode;
  /** Their daemons run, and they have not joined. */
  readonly others: readonly DockerNode[];
  /** What a client of the Engine API shows, and whom it believes. */
  readonly tls: ClientCertificate;
  readonly #imageId: string;

  constructor(manager: DockerNode, others: readonly DockerNode[], tls: ClientCertificate, imageId: string) {
    this.manager = manager;
    this.others = others;
    this.tls = tls;
    this.#imageId = imageId;
  }

  /** Runs something on a node; there `docker` means its daemon. */
  run(node: DockerNode, argv: Argv, input = ''): Promise<ToolRan> {
    return node.run(argv, input);
  }

  async #ask(target: string, body?: unknown): Promise<unknown> {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await this.manager.request(target, { method, body });
    if (answer.status >= 300)
      throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** What a node shows to join as a worker. */
  async workerToken(): Promise<string> {
    const { JoinTokens } = (await this.#ask('/swarm')) as { JoinTokens: { Worker: string } };
    return JoinTokens.Worker;
  }

  /** A service whose tasks do nothing. They are wanted, and not running yet, when this is done. */
  async createService(name: string, replicas: number): Promise<void> {
    await this.#ask('/services/create', {
      Name: name,
      Mode: { Replicated: { Replicas: replicas } },
      TaskTemplate: {
        // By its ID no registry is asked for it. A first process does not hear SIGTERM.
        ContainerSpec: {
          Image: this.#imageId,
          Command: ['/busybox', 'sleep', '86400'],
          StopSignal: 'SIGKILL',
        },
        RestartPolicy: { Condition: 'any', Delay: 0 },
      },
    });
  }

  /** The IDs of the nodes on which tasks of a service run, one for each task. */
  async runningOn(service: string): Promise<string[]> {
    const filters = encodeURIComponent(JSON.stringify({ service: [service], 'desired-state': ['running'] }));
    const tasks = (await this.#ask(`/tasks?filters=${filters}`)) as Task[];
    return tasks.filter(task => task.Status?.State === 'running').map(task => task.NodeID ?? '');
  }

  /** Waits until so many tasks run, and answers where. */
  untilRunning(service: string, replicas: number): Promise<string[]> {
    const ask = async () => {
      const nodes = await this.runningOn(service);
      return nodes.length === replicas && nodes;
    };
    return until(`${replicas} tasks of ${service} run`, ask, MOVE_MS);
  }

  async stop(): Promise<void> {
    await Promise.all([this.manager, ...this.others].map(node => node.stop()));
  }
}
