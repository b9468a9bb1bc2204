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
import type { OpenNetwork } from '../drivers/network/network.ts';
import type { KnownTransport, Target } from '../drivers/transport/transport.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { TraceContext } from '../lib/tracer.ts';
import type { Store } from '../store/store.ts';
import type { PasswordHasher } from './auth/password-hasher.ts';
import type { RejectionRecorder } from './events/rejection-recorder.ts';

/** What the use cases stand on; the composition root gives it. */
export interface Ports {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly hasher: PasswordHasher;
  /** An account has changed or is gone: that counts from now on. */
  readonly invalidateAccount: (name: RecordName) => void;
  readonly sessions: {
    /** How long one lasts. */
    readonly lifetimeS: number;
    /** Discards cached logins after a change of sessions. */
    readonly invalidate: () => void;
  };
  /** The container manager that a record describes. */
  readonly openManager: (record: DriverRecord) => Promise<ContainerManager>;
  /** The network that a record describes, asked for itself. */
  readonly openNetwork: (record: DriverRecord, managerType: string | null) => Promise<OpenNetwork>;
  /** What is wrong with a private key in base64; `undefined` when it can be used. */
  readonly validatePrivateKey: (base64: string) => string | undefined;
  /** Tries to get into a host: why that failed, `undefined` if it did not. It waits for the host, so never in a transaction. */
  readonly testCredentials: (
    address: Address,
    credentials: Omit<Target, 'address'>,
    trace?: TraceContext,
  ) => Promise<{ readonly hostKey: string } | TransportFailure>;
  /** What an operation would do on a host. */
  readonly dryRunHost: (host: Host, input: DryRunInput, member: MemberRecord) => HostDryRun;
  /** Somebody whom we know was refused something. */
  readonly recordRejection: (...rejection: Parameters<RejectionRecorder['recordRequest']>) => void;
  /** Resolves when what has happened, or was refused here, is in the log. */
  readonly flushEventLog: () => Promise<void>;
  /** The number of the newest event that this server knows of. What is read after asking is not older. */
  readonly eventPosition: () => number;
  readonly eventSubscribers: {
    /** Whether nobody more may read. */
    readonly isFull: boolean;
    /** Whether nobody more of this account may. */
    isFullFor(account: string): boolean;
    subscribe(subscription: EventSubscription, sink: EventSink): void;
  };
  readonly healthReport: () => Promise<HealthReport>;
  /** Transports that a host can select. */
  readonly transports: readonly KnownTransport[];
  /** Names of the host sources in the configuration. */
  readonly hostSources: ReadonlySet<string>;
  /** A host was enrolled whose facts come from this source. */
  readonly refreshSource: (source: string) => void;
  /** How messages are sent to webhooks. It waits for the receiver, so never in a transaction. */
  readonly webhooks: { readonly allowsPrivate: boolean; readonly send: SendWebhook };
  /** Where hosts find the service, as the configuration says. */
  readonly publicUrl: string | undefined;
  readonly limits: { readonly maxMembersPerReplace: number; readonly maxBulkHosts: number };
}
