import type { Address } from '../domain/addresses/address.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { EventSink, EventSubscription } from '../domain/events/event-subscription.ts';
import type { HealthReport } from '../domain/health-check.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { DryRunInput, HostDryRun } from '../domain/rollout/dry-run.ts';
import type { MemberRecord } from '../domain/rollout/outage.ts';
import type { Vault } from '../domain/secret.ts';
import type { TransportFailure } from '../domain/transport-failure.ts';
import type { SendWebhook } from '../domain/webhooks/webhook-message.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../drivers/index.ts';
import type { Network } from '../drivers/network/network.ts';
import type { KnownTransport, Target } from '../drivers/transport/transport.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { TraceContext } from '../lib/tracer.ts';
import type { Store } from '../store/store.ts';
import type { PasswordHasher } from './auth/password-hasher.ts';
import type { RejectionRecorder } from './events/rejection-recorder.ts';

export interface Ports {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly hasher: PasswordHasher;
  /** Must be called after an account has changed or was removed. */
  readonly invalidateAccount: (name: RecordName) => void;
  readonly sessions: {
    readonly lifetimeS: number;
    /** Must be called after sessions have changed. */
    readonly invalidate: () => void;
  };
  readonly openManager: (record: DriverRecord) => Promise<ContainerManager>;
  /** `managerType`: null without a container manager. */
  readonly openNetwork: (record: DriverRecord, managerType: string | null) => Promise<Network>;
  /** Returns an error message. */
  readonly validatePrivateKey: (base64: string) => string | undefined;
  /** Waits for the host, so it must not run in a transaction. */
  readonly testCredentials: (
    address: Address,
    credentials: Omit<Target, 'address'>,
    trace?: TraceContext,
  ) => Promise<{ readonly hostKey: string } | TransportFailure>;
  readonly dryRunHost: (host: Host, input: DryRunInput, member: MemberRecord) => HostDryRun;
  /** The caller is authenticated. */
  readonly recordRejection: (...rejection: Parameters<RejectionRecorder['recordRequest']>) => void;
  /** Resolves when all past events and rejections of this server are in the event log. */
  readonly flushEventLog: () => Promise<void>;
  /** The newest event that this server knows. Data that is read afterwards is not older. */
  readonly eventPosition: () => number;
  readonly eventSubscribers: {
    readonly isFull: boolean;
    isFullFor(account: string): boolean;
    subscribe(subscription: EventSubscription, sink: EventSink): void;
  };
  readonly healthReport: () => Promise<HealthReport>;
  readonly transports: readonly KnownTransport[];
  /** The addresses of a DNS name. Throws if the name cannot be resolved. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  readonly hostSources: ReadonlySet<string>;
  readonly refreshSource: (source: string) => void;
  /** `send` waits for the receiver, so it must not run in a transaction. */
  readonly webhooks: { readonly allowsPrivate: boolean; readonly send: SendWebhook };
  readonly publicUrl: string | undefined;
  readonly maxMembersPerReplace: number;
}
