// An in-memory swarm with the responses of Docker 20.10. Each change of a node increments its version, and a
// change with an outdated version is rejected.

import { randomUUID } from 'node:crypto';

export interface FakeNode {
  ID: string;
  Version: { Index: number };
  CreatedAt: string;
  Spec: { Availability: string; Role: string; Labels: Record<string, string> | null };
  Description: { Hostname: string };
  Status: { State: string; Addr: string };
  ManagerStatus?: { Reachability: string; Addr: string };
}

export interface FakeTask {
  ID: string;
  NodeID: string;
  DesiredState: string;
  Status: { State: string };
}

interface NodeOptions {
  readonly name?: string;
  readonly state?: string;
  readonly availability?: string;
  readonly labels?: Record<string, string> | null;
  /** State as seen by the other managers. Default: the node is a worker. */
  readonly reachability?: string;
  /** Default: the address of the node. */
  readonly statusAddress?: string;
}

const newId = () => randomUUID().replaceAll('-', '').slice(0, 25);
const hostAndPort = (address: string) => `${address.includes(':') ? `[${address}]` : address}:2377`;

export class FakeSwarm {
  nodes: FakeNode[] = [];
  tasks: FakeTask[] = [];
  /** Fields of `/info`. */
  localNodeState = 'active';
  controlAvailable = true;
  workerToken = 'SWMTKN-1-fake-worker';
  #index = 10;
  #createdMs = Date.parse('2026-01-01T00:00:00Z');

  /** Adds a node as if a host had joined. */
  add(address: string, options: NodeOptions = {}): FakeNode {
    const { name = `host-${address}`, state = 'ready', availability = 'active', labels = {} } = options;
    const { reachability, statusAddress = address } = options;
    this.#createdMs += 1000;
    const node: FakeNode = {
      ID: newId(),
      Version: { Index: ++this.#index },
      CreatedAt: new Date(this.#createdMs).toISOString(),
      Spec: { Availability: availability, Role: reachability ? 'manager' : 'worker', Labels: labels },
      Description: { Hostname: name },
      Status: { State: state, Addr: statusAddress },
      ...(reachability && { ManagerStatus: { Reachability: reachability, Addr: hostAndPort(address) } }),
    };
    this.nodes.push(node);
    return node;
  }

  node(id: string): FakeNode | undefined {
    return this.nodes.find(({ ID }) => ID === id);
  }

  nodeAt(address: string): FakeNode {
    const node = this.nodes.find(({ Status }) => Status.Addr === address);
    if (node === undefined) throw new Error(`there is no node at ${address}`);
    return node;
  }

  /** Changes the spec and increments the version. */
  touch(node: FakeNode, spec: Partial<FakeNode['Spec']> = {}): void {
    node.Spec = { ...node.Spec, ...spec };
    node.Version = { Index: ++this.#index };
    if (node.Spec.Availability !== 'drain') return;
    for (const task of this.tasks) if (task.NodeID === node.ID) task.DesiredState = 'shutdown';
  }

  addTask(node: FakeNode, state = 'running', desired = 'running'): FakeTask {
    const task = { ID: newId(), NodeID: node.ID, DesiredState: desired, Status: { State: state } };
    this.tasks.push(task);
    return task;
  }

  /** Ends the tasks with the desired state `shutdown`. */
  endTasks(): void {
    for (const task of this.tasks) if (task.DesiredState === 'shutdown') task.Status = { State: 'shutdown' };
  }

  remove(node: FakeNode): void {
    this.nodes = this.nodes.filter(({ ID }) => ID !== node.ID);
    this.tasks = this.tasks.filter(({ NodeID }) => NodeID !== node.ID);
  }

  get managers(): { readonly NodeID: string; readonly Addr: string }[] {
    return this.nodes.flatMap(({ ID, ManagerStatus }) =>
      ManagerStatus ? [{ NodeID: ID, Addr: ManagerStatus.Addr }] : [],
    );
  }
}
