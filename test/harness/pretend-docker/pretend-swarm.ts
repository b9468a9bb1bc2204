// A swarm in memory, as the Engine API of its manager shows it: what a real one answers was looked up at one (Docker 20.10). What must
// hold: each change of a node raises its version, and a change that names an older one is refused.

import { randomUUID } from 'node:crypto';

export interface PretendNode {
  ID: string;
  Version: { Index: number };
  CreatedAt: string;
  Spec: { Availability: string; Role: string; Labels: Record<string, string> | null };
  Description: { Hostname: string };
  Status: { State: string; Addr: string };
  ManagerStatus?: { Reachability: string; Addr: string };
}

export interface PretendTask {
  ID: string;
  NodeID: string;
  DesiredState: string;
  Status: { State: string };
}

interface NodeWish {
  readonly name?: string;
  readonly state?: string;
  readonly availability?: string;
  readonly labels?: Record<string, string> | null;
  /** How the other managers see it; missing: it is a worker. */
  readonly reachability?: string;
  /** What it is seen at, where that is not its address. */
  readonly seenAt?: string;
}

const newId = () => randomUUID().replaceAll('-', '').slice(0, 25);
const hostAndPort = (address: string) => `${address.includes(':') ? `[${address}]` : address}:2377`;

export class PretendSwarm {
  nodes: PretendNode[] = [];
  tasks: PretendTask[] = [];
  /** What `/info` says. */
  localNodeState = 'active';
  controlAvailable = true;
  workerToken = 'SWMTKN-1-pretend-worker';
  #index = 10;
  #createdMs = Date.parse('2026-01-01T00:00:00Z');

  /** A node turns up, as when a host has joined. */
  add(address: string, wish: NodeWish = {}): PretendNode {
    const { name = `host-${address}`, state = 'ready', availability = 'active', labels = {} } = wish;
    const { reachability, seenAt = address } = wish;
    this.#createdMs += 1000;
    const node: PretendNode = {
      ID: newId(),
      Version: { Index: ++this.#index },
      CreatedAt: new Date(this.#createdMs).toISOString(),
      Spec: { Availability: availability, Role: reachability ? 'manager' : 'worker', Labels: labels },
      Description: { Hostname: name },
      Status: { State: state, Addr: seenAt },
      ...(reachability && { ManagerStatus: { Reachability: reachability, Addr: hostAndPort(address) } }),
    };
    this.nodes.push(node);
    return node;
  }

  node(id: string): PretendNode | undefined {
    return this.nodes.find(({ ID }) => ID === id);
  }

  at(address: string): PretendNode {
    const node = this.nodes.find(({ Status }) => Status.Addr === address);
    if (node === undefined) throw new Error(`there is no node at ${address}`);
    return node;
  }

  /** Something about the node changes: its spec, or how it is. */
  touch(node: PretendNode, spec: Partial<PretendNode['Spec']> = {}): void {
    node.Spec = { ...node.Spec, ...spec };
    node.Version = { Index: ++this.#index };
    if (node.Spec.Availability !== 'drain') return;
    for (const task of this.tasks) if (task.NodeID === node.ID) task.DesiredState = 'shutdown';
  }

  run(node: PretendNode, state = 'running', desired = 'running'): PretendTask {
    const task = { ID: newId(), NodeID: node.ID, DesiredState: desired, Status: { State: state } };
    this.tasks.push(task);
    return task;
  }

  /** What shall end has ended. */
  endTasks(): void {
    for (const task of this.tasks) if (task.DesiredState === 'shutdown') task.Status = { State: 'shutdown' };
  }

  remove(node: PretendNode): void {
    this.nodes = this.nodes.filter(({ ID }) => ID !== node.ID);
    this.tasks = this.tasks.filter(({ NodeID }) => NodeID !== node.ID);
  }

  get managers(): { readonly NodeID: string; readonly Addr: string }[] {
    return this.nodes.flatMap(({ ID, ManagerStatus }) =>
      ManagerStatus ? [{ NodeID: ID, Addr: ManagerStatus.Addr }] : [],
    );
  }
}
