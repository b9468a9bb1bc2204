import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { User } from './accounts.ts';
import type { Fields, Json } from './objects.ts';
import type { Resource } from './resources.ts';
import type { ObjectStore } from './store.ts';

/** What a test may change while the server runs. */
export interface ClusterSettings {
  /** When a pod goes that was given a grace period. A kubelet that does not answer lets none go. */
  termination: 'at once' | 'by test' | { readonly afterMs: number };
  /** Whether certificate requests that are approved get their certificate. */
  signsCertificates: boolean;
  /** How a watch from too long ago is refused: newer servers send an event, older ones answer 410. */
  expiredWatch: 'event' | 'http';
  /** Whether the status of disruption budgets is worked out. Without, as on a server without controllers, tests write it. */
  keepsBudgets: boolean;
  /** Whether nodes that are cordoned get the taint that says so, a moment later. */
  taintsCordoned: boolean;
}

/** What all parts of the server share. */
export interface Cluster {
  /** Of Kubernetes 1. */
  readonly minor: number;
  readonly clock: TimerClock;
  readonly store: ObjectStore;
  readonly settings: ClusterSettings;
  /** The uids of disruption budgets whose status somebody has written; it is theirs from then on. */
  readonly writtenBudgets: Set<string>;
}

/** What a path of the API names. */
export interface Target {
  readonly resource: Resource;
  readonly version: string;
  /** '': of all namespaces, or none. */
  readonly namespace: string;
  /** '': the whole list. */
  readonly name: string;
  /** '': the object itself. */
  readonly subresource: string;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request that was understood, by somebody who may make it. */
export interface Call {
  readonly verb: Verb;
  readonly target: Target;
  readonly user: User;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Json | undefined;
}

export interface Answer {
  readonly code: number;
  /** Text that is no JSON is sent as it is. */
  readonly body: Fields | string;
  readonly retryAfterSeconds?: number;
}
