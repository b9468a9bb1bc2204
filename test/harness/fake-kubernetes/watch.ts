import type { ServerResponse } from 'node:http';
import { ApiError, expired } from './api-error.ts';
import type { Call, Cluster } from './cluster.ts';
import type { Fields } from './objects.ts';
import type { Selector } from './read.ts';
import { createSelector, toResponseBody } from './read.ts';
import { formatApiVersion } from './resources.ts';
import type { Change } from './store.ts';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

export class Watcher {
  readonly #cluster: Cluster;
  readonly #call: Call;
  readonly #response: ServerResponse;
  readonly #isSelected: Selector;
  readonly #cleanups: (() => void)[] = [];
  readonly #hasBookmarks: boolean;

  /** Throws errors before the stream starts. */
  constructor(cluster: Cluster, call: Call, response: ServerResponse) {
    this.#cluster = cluster;
    this.#call = call;
    this.#response = response;
    this.#isSelected = createSelector(call);
    this.#hasBookmarks = ['1', 'true'].includes(call.query.get('allowWatchBookmarks') ?? '');
    this.#start(call.query.get('resourceVersion') ?? '');
  }

  bookmark(): void {
    if (!this.#hasBookmarks) return;
    const { kind, group } = this.#call.target.resource;
    const metadata = { resourceVersion: String(this.#cluster.store.revision), creationTimestamp: null };
    const apiVersion = formatApiVersion(group, this.#call.target.version);
    this.#send('BOOKMARK', { kind, apiVersion, metadata, spec: {}, status: {} });
  }

  #start(version: string): void {
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
    if (seconds > 0) this.#cleanups.push(this.#cluster.clock.setTimer(seconds * 1000, () => this.#end()));
    this.#response.on('close', () => {
      for (const cleanup of this.#cleanups) cleanup();
    });
  }

  /** Without a version, the current objects come first. */
  #stream(since: number): void {
    const { store } = this.#cluster;
    const { resource, namespace } = this.#call.target;
    if (since === 0) {
      const selected = store.list(resource, namespace).filter(this.#isSelected);
      for (const object of selected) this.#send('ADDED', toResponseBody(object, this.#call.target));
    } else for (const change of store.changesSince(since)) this.#sendChange(change);
    this.#cleanups.push(store.onChange(change => this.#sendChange(change)));
  }

  /** An object that no longer matches the selector is sent as deleted. */
  #sendChange({ resource, before, after, revision }: Change): void {
    const { target } = this.#call;
    const objectNamespace = (after ?? before)?.metadata.namespace ?? '';
    if (resource !== target.resource || (target.namespace !== '' && target.namespace !== objectNamespace)) return;
    const wasSelected = before !== undefined && this.#isSelected(before);
    if (after !== undefined && this.#isSelected(after)) {
      this.#send(wasSelected ? 'MODIFIED' : 'ADDED', toResponseBody(after, target));
    } else if (wasSelected) {
      const metadata = { ...before.metadata, resourceVersion: String(revision) };
      this.#send('DELETED', toResponseBody({ ...before, metadata }, target));
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
