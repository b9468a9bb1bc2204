import type { Static } from 'typebox';
import type { PolicyInput } from '../../src/contract/policy.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { ClusterOperation } from '../../src/domain/rollout/operation.ts';
import { isOperationOpen } from '../../src/domain/rollout/operation.ts';
import type { OperationHost } from '../../src/domain/rollout/operation-host.ts';
import type { HostPhase, OperationKind, RecordedPhase } from '../../src/domain/vocabulary.ts';
import type { Client } from '../../src/sdk/client.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import type { StepOutput } from '../../src/store/repositories/operations/operation-output.ts';
import type { Store } from '../../src/store/store.ts';
import { MIN_PAUSE_MS, waitUntil } from '../harness/wait-until.ts';

export const CLUSTER = 'web';

interface OperationRequest {
  readonly kind: OperationKind;
  readonly version?: string;
  readonly policy?: Static<typeof PolicyInput>;
}

/** The service, and its store for direct reads. */
export interface OperationService {
  readonly client: Client;
  readonly store: Store;
}

/** An operation that is followed in the store, so servers can be killed. */
export class FollowedOperation {
  readonly #store: Store;
  readonly id: string;

  private constructor(store: Store, id: string) {
    this.#store = store;
    this.id = id;
  }

  static async start(
    { client, store }: OperationService,
    { kind, version = '', policy = {} }: OperationRequest,
  ): Promise<FollowedOperation> {
    const request = { name: CLUSTER, body: { policy } };
    const put = {
      restart: () => client.putRestart(request),
      upgrade: () => client.putUpgrade(request),
      deploy: () => client.putDeploy({ ...request, body: { policy, version } }),
    };
    return new FollowedOperation(store, getOperationId(await put[kind]()));
  }

  async record(): Promise<ClusterOperation> {
    const found = await this.#store.reads.operations.get(this.id);
    if (!found) throw new Error(`operation ${this.id} does not exist`);
    return found;
  }

  async hosts(): Promise<readonly OperationHost[]> {
    return (await this.#store.reads.operationHosts.list(this.id)).items;
  }

  async host({ address }: { readonly address: string }): Promise<OperationHost> {
    const found = (await this.hosts()).find(({ host }) => host === address);
    if (!found) throw new Error(`${address} is not in operation ${this.id}`);
    return found;
  }

  /** Stored output of the steps of a host. */
  output({ address }: { readonly address: string }): Promise<readonly StepOutput[]> {
    return this.#store.reads.operationOutput.list(this.id, address as Address);
  }

  /** Waits until a host is in this phase and returns it. */
  untilPhase(phase: HostPhase, deadlineMs?: number): Promise<OperationHost> {
    const find = async () => (await this.hosts()).find(host => host.phase === phase);
    return waitUntil(`a host is ${phase}`, find, deadlineMs, MIN_PAUSE_MS);
  }

  /** Waits until the operation ends and returns its state and problem. */
  async waitForEnd(deadlineMs: number): Promise<string> {
    try {
      const { state, problem } = await waitUntil(
        `operation ${this.id} ends`,
        async () => {
          const record = await this.record();
          return !isOperationOpen(record) && record;
        },
        deadlineMs,
      );
      return problem === '' ? state : `${state} (${problem})`;
    } catch (error) {
      const hosts = (await this.hosts()).map(({ host, phase, problem }) => `${host} ${phase} ${problem}`);
      throw new Error(`${String(error)}\n${(await this.record()).problem}\n${hosts.join('\n')}`);
    }
  }
}

export const phasesOf = ({ phases }: OperationHost): RecordedPhase[] => phases.map(({ phase }) => phase);
