import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { RouteName } from '#contract/index.ts';
import { createClient } from '#sdk/client.ts';
import type { Account } from '../api/client.ts';
import { api, DASHBOARD_HEADERS, fetchBody, isUnauthenticated } from '../api/client.ts';
import { liveEvents, useConnectionState } from '../live/live-events.ts';
import { EmptyState, Page } from '../ui/page.tsx';
import { canCall, getDeniedReason } from './permissions.ts';

/** The tabs of a browser share one session cookie. */
type TabMessage = 'signed_in' | 'signed_out';

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('hostler-session') : undefined;

const broadcastToTabs = (message: TabMessage): void => channel?.postMessage(message);

function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const onMessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
  channel?.addEventListener('message', onMessage);
  return () => channel?.removeEventListener('message', onMessage);
}

const listeners = new Set<() => void>();

export const emitSignedOut = (): void => {
  for (const listener of listeners) listener();
};

function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// The password is sent once and not stored. Scripts cannot read the session cookie.

/** `unknown`: the server has not responded yet. */
type AuthState =
  | { readonly state: 'unknown'; readonly error?: unknown }
  | { readonly state: 'signed_out' }
  | { readonly state: 'signed_in'; readonly account: Account; readonly isExpired: boolean };

interface Session {
  readonly authState: AuthState;
  signIn(user: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

const RETRY_DELAY_MS = 2000;

/** A changed role can see different data. */
const hasAccountChanged = (previous: Account, current: Account) =>
  previous.name !== current.name || previous.role !== current.role;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const [authState, setAuthState] = useState<AuthState>({ state: 'unknown' });

  const setSignedIn = useCallback(
    (account: Account) => {
      setAuthState(previous => {
        if (previous.state === 'signed_in' && hasAccountChanged(previous.account, account)) queryClient.clear();
        return { state: 'signed_in', account, isExpired: false };
      });
      liveEvents.signedIn();
    },
    [queryClient],
  );

  const clearSession = useCallback(() => {
    liveEvents.signedOut();
    queryClient.clear();
    setAuthState({ state: 'signed_out' });
  }, [queryClient]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadAccount = async () => {
      try {
        setSignedIn(await fetchBody(api.getOwnAccount()));
      } catch (error) {
        if (isUnauthenticated(error)) setAuthState({ state: 'signed_out' });
        else {
          setAuthState({ state: 'unknown', error });
          timer = setTimeout(loadAccount, RETRY_DELAY_MS);
        }
      }
    };
    loadAccount();
    return () => clearTimeout(timer);
  }, [setSignedIn]);

  /** The session can be expired or belong to another account, for example after a sign-in in another tab. */
  const revalidate = useCallback(
    () =>
      fetchBody(api.getOwnAccount()).then(setSignedIn, error => {
        if (isUnauthenticated(error)) emitSignedOut();
      }),
    [setSignedIn],
  );

  useEffect(
    () =>
      onSignedOut(() =>
        setAuthState(previous => (previous.state === 'signed_in' ? { ...previous, isExpired: true } : previous)),
      ),
    [],
  );

  useEffect(
    () => onTabMessage(message => (message === 'signed_out' ? clearSession() : revalidate())),
    [clearSession, revalidate],
  );

  const liveState = useConnectionState();
  const isSignedIn = authState.state === 'signed_in' && !authState.isExpired;
  useEffect(() => {
    if (liveState === 'signed_out' && isSignedIn) revalidate();
  }, [liveState, isSignedIn, revalidate]);

  const session = useMemo<Session>(
    () => ({
      authState,
      signIn: async (user, password) => {
        await createClient({ baseUrl: location.origin, user, password }).createSession({
          ...DASHBOARD_HEADERS,
          body: {},
        });
        setSignedIn(await fetchBody(api.getOwnAccount()));
        queryClient.invalidateQueries();
        broadcastToTabs('signed_in');
      },
      signOut: async () => {
        await api.removeSession().catch((error: unknown) => {
          if (!isUnauthenticated(error)) throw error;
        });
        clearSession();
        broadcastToTabs('signed_out');
      },
    }),
    [authState, queryClient, setSignedIn, clearSession],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession must be used inside SessionProvider');
  return session;
}

/** Only for components inside `AuthGate`. */
export function useAccount(): Account {
  const { authState } = useSession();
  if (authState.state !== 'signed_in') throw new Error('useAccount requires a signed-in account');
  return authState.account;
}

/** `deniedReason` returns undefined if the role can call the route. */
export function usePermissions() {
  const { role } = useAccount();
  return {
    can: (name: RouteName) => canCall(role, name),
    deniedReason: (name: RouteName) => getDeniedReason(role, name),
  };
}

interface RequirePermissionProps {
  readonly route: RouteName;
  readonly title: string;
  readonly children: ReactNode;
}

export function RequirePermission({ route, title, children }: RequirePermissionProps) {
  const { can, deniedReason } = usePermissions();
  if (can(route)) return children;
  return (
    <Page title={title}>
      <EmptyState title="You do not have access to this page">
        <p>{deniedReason(route)} Ask an admin for access.</p>
      </EmptyState>
    </Page>
  );
}
