// Speaks the Engine API of a Docker daemon that manages a swarm. Paths carry no version: each daemon then speaks its newest, and what
// is asked here has not changed since 1.24, while daemons drop old versions one by one. What must hold: a node is changed only if it
// still is as it was read.

import { Secret } from '../../domain/secret.ts';
import { harmless } from '../../lib/text/harmless.ts';
import type { JsonAnswer, JsonCall, ServerAccess } from '../json-server.ts';
import { JsonServer, NOT_SHOWN } from '../json-server.ts';
import type { EngineInfo, EngineNode, EngineNodeSpec, EngineTask, EngineVersion } from './engine-answers.ts';
import {
  readInfo,
  readNode,
  readNodes,
  readSwarm,
  readTasks,
  readVersion,
  wordsOf,
} from './engine-answers.ts';
import { engineUrl } from './engine-url.ts';

const isGood = ({ status }: JsonAnswer): boolean => status >= 200 && status < 300;
const isUnknown = ({ status }: JsonAnswer): boolean => status === 404;

/** It says so with 500, as of any other error. */
const isOutOfSequence = ({ status, body }: JsonAnswer): boolean =>
  status === 409 || (status === 500 && wordsOf(body).includes('update out of sequence'));

const nodePath = (id: string): string => `/nodes/${encodeURIComponent(id)}`;

/** Refusals that can be explained without quoting them. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/not a swarm manager/, 'the node is not a swarm manager'],
  [/does not have a leader|no leader/, 'the swarm has no leader: too few managers are running'],
  [/must be demoted/, 'the node is a manager; demote it first (docker node demote)'],
];

export class DockerEngine {
  readonly #server: JsonServer;

  /** The URL may be `tcp`. */
  constructor(access: ServerAccess) {
    this.#server = new JsonServer({ ...access, url: engineUrl(access.url, access.files ?? {}) });
  }

  /** As it is told to people. */
  get name(): string {
    return this.#server.name;
  }

  async version(): Promise<EngineVersion> {
    return readVersion(await this.#get('/version'));
  }

  async info(): Promise<EngineInfo> {
    return readInfo(await this.#get('/info'));
  }

  /** What a host shows to join as a worker. */
  async workerToken(): Promise<Secret> {
    return new Secret(readSwarm(await this.#get('/swarm')).JoinTokens.Worker);
  }

  async nodes(): Promise<readonly EngineNode[]> {
    return readNodes(await this.#get('/nodes'));
  }

  /** `undefined`: there is none with this ID. */
  async node(id: string): Promise<EngineNode | undefined> {
    const answer = await this.#server.call({ method: 'GET', path: nodePath(id) });
    if (isUnknown(answer)) return undefined;
    this.#mustBeGood(answer);
    return readNode(answer.body);
  }

  /** `conflict`: the node has changed since it was read, or is gone. */
  async updateNode({ ID, Version }: EngineNode, spec: EngineNodeSpec): Promise<'updated' | 'conflict'> {
    const answer = await this.#server.call({
      method: 'POST',
      path: `${nodePath(ID)}/update`,
      query: { version: Version.Index },
      body: spec,
    });
    if (isOutOfSequence(answer) || isUnknown(answer)) return 'conflict';
    this.#mustBeGood(answer);
    return 'updated';
  }

  /** Also one that is up; one that is gone already is fine. */
  async removeNode({ ID }: Pick<EngineNode, 'ID'>): Promise<void> {
    const answer = await this.#server.call({
      method: 'DELETE',
      path: nodePath(ID),
      query: { force: 'true' },
    });
    if (!isUnknown(answer)) this.#mustBeGood(answer);
  }

  /** All that it is remembered to have had, also those that have ended. */
  async tasksOf({ ID }: Pick<EngineNode, 'ID'>): Promise<readonly EngineTask[]> {
    return readTasks(await this.#get('/tasks', { filters: JSON.stringify({ node: [ID] }) }));
  }

  async #get(path: string, query: NonNullable<JsonCall['query']> = {}): Promise<unknown> {
    const answer = await this.#server.call({ method: 'GET', path, query });
    this.#mustBeGood(answer);
    return answer.body;
  }

  #mustBeGood(answer: JsonAnswer): void {
    if (isGood(answer)) return;
    const words = wordsOf(answer.body);
    const said = this.#server.isVerified ? harmless(words) || 'no reason given' : NOT_SHOWN;
    const reason = MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? said;
    throw new Error(`${this.name} rejected the request (${answer.status}): ${reason}`);
  }
}
