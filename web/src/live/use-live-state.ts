import { useSyncExternalStore } from 'react';
import type { FeedState } from './feed.ts';
import { live } from './live.ts';

export const useLiveState = (): FeedState => useSyncExternalStore(live.onState, () => live.state);
