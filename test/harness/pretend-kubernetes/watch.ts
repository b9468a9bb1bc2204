import type { ServerResponse } from 'node:http';
import { ApiError, expired } from './api-error.ts';
import type { Call, Cluster } from './cluster.ts';
import type { Fields } from './objects.ts';
import { selectorOf, shown } from './read.ts';
import { apiVersionOf } from './resources.ts';
import type { Selector } from './selectors.ts';
import type { Change } from './store.ts';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** One caller that watches a list. */
export class Watcher {
  readonly #cluster: Cluster;
  readonly #call: Call;
  readonly #response: ServerResponse;
  readonly #isSelected: Selector;
  readonly #callOff: (() => void)[] = [];
  readonly #hasBookmarks: boolean;

  /** Throws what is refused before the stream begins. */
  constructor(cluster: Cluster, call: Call, response: ServerResponse) {
    this.#cluster = cluster;
    this.#call = call;
    this.#response = response;
    this.#isSelected = selectorOf(call);
    this.#hasBookmarks = ['1', 'true'].includes(call.query.get('allowWatchBookmarks') ?? '');
    this.#begin(call.query.get('resourceVersion') ?? '');
  }

  /** Tells how far the caller has seen everything. */
  bookmark(): void {
    if (!this.#hasBookmarks) return;
    const { kind, group } = this.#call.target.resource;
    const metadata = { resourceVersion: String(this.#cluster.store.revision), creationTimestamp: null };
    const apiVersion = apiVersionOf(group, this.#call.target.version);
    this.#send('BOOKMARK', { kind, apiVersion, metadata, spec: {}, status: {} });
  }

  #begin(version: string): void {
    const { store, settings } = this.#cluster;
    if (!/^\d*$/.test(version)) {
      const why = `strconv.ParseUint: parsing "${version}": invalid syntax`;
      throw new ApiError({ code: 500, message: `resourceVersion: Invalid value: "${version}": ${why}` });
    }
    const since = Number(version);
    const isTooOld = since > 0 && since < store.compactedTo;
    const error = expired(`too old resource version: ${since} (${store.compactedTo})`);
    if (isTooOld && settings.expiredWatch === 'http') throw error;
    this.#response.writeHead(200, { 'content-type': 'application/json' });
    this.#response.flushHeaders();
    if (isTooOld) {
      this.#send('ERROR', error.status);
      this.#response.end();
      return;
    }
    this.#stream(since);
    const seconds = Number(this.#call.query.get('timeoutSeconds') ?? 0);
    if (seconds > 0) this.#callOff.push(this.#cluster.clock.setTimer(seconds * 1000, () => this.#end()));
    this.#response.on('close', () => {
      for (const callOff of this.#callOff) callOff();
    });
  }

  /** From no version in particular, all there is comes first. */
  #stream(since: number): void {
    const { store } = this.#cluster;
    const { resource, namespace } = this.#call.target;
    if (since === 0) {
      const selected = store.list(resource, namespace).filter(this.#isSelected);
      for (const object of selected) this.#send('ADDED', shown(object, this.#call.target));
    } else for (const change of store.changesSince(since)) this.#tell(change);
    this.#callOff.push(store.onChange(change => this.#tell(change)));
  }

  /** What is no longer selected is gone for whoever watches the selection. */
  #tell({ resource, before, after, revision }: Change): void {
    const { target } = this.#call;
    const within = (after ?? before)?.metadata.namespace ?? '';
    if (resource !== target.resource || (target.namespace !== '' && target.namespace !== within)) return;
    const wasSelected = before !== undefined && this.#isSelected(before);
    if (after !== undefined && this.#isSelected(after)) {
      this.#send(wasSelected ? 'MODIFIED' : 'ADDED', shown(after, target));
    } else if (wasSelected) {
      const metadata = { ...before.metadata, resourceVersion: String(revision) };
      this.#send('DELETED', shown({ ...before, metadata }, target));
    }
  }

  #end(): void {
    this.bookmark();
    this.#response.end();
  }

  #send(type: EventType, object: Fields): void {
    if (!this.#response.writableEnded) this.#response.write(`${JSON.stringify({ type, object })}\n`);
  }
}
