import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { User } from './accounts.ts';
import type { Fields, Json } from './objects.ts';
import type { Resource } from './resources.ts';
import type { ObjectStore } from './store.ts';

/** Settings that tests may change at any time. */
export interface ClusterSettings {
  /** When a pod with a grace period is removed. An unresponsive kubelet removes no pods. */
  termination: 'at once' | 'by test' | { readonly afterMs: number };
  signsCertificates: boolean;
  /** Newer servers send an expired watch as an event, older ones respond with 410. */
  expiredWatch: 'event' | 'http';
  /** Without it, as on a server without controllers, tests write the status. */
  computesBudgets: boolean;
  /** Adds the unschedulable taint to cordoned nodes asynchronously. */
  taintsCordoned: boolean;
}

/** State shared by all modules of the server. */
export interface Cluster {
  /** Minor version of Kubernetes 1. */
  readonly minor: number;
  readonly clock: TimerClock;
  readonly store: ObjectStore;
  readonly settings: ClusterSettings;
  /** UIDs of disruption budgets with a status written by a client. The controller no longer changes them. */
  readonly writtenBudgets: Set<string>;
}

export interface Target {
  readonly resource: Resource;
  readonly version: string;
  /** Empty: all namespaces, or a cluster-wide resource. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  /** Empty: the object itself. */
  readonly subresource: string;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** An authorized request. */
export interface Call {
  readonly verb: Verb;
  readonly target: Target;
  readonly user: User;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Json | undefined;
}

export interface ApiResponse {
  readonly code: number;
  /** Strings are sent as plain text. */
  readonly body: Fields | string;
  readonly retryAfterSeconds?: number;
}
