// Who is signed in. The password goes to the service once and is kept nowhere; the cookie that it answers is out of reach of scripts.

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { createClient } from '#client/client.ts';
import type { RouteName } from '#contract/index.ts';
import type { Account } from '../api/account.ts';
import { answerOf, api, CALLER } from '../api/client.ts';
import { isUnknownCaller } from '../api/is-unknown-caller.ts';
import { live } from '../live/live.ts';
import { useLiveState } from '../live/use-live-state.ts';
import { may, whyNot } from './may.ts';
import { onOtherTabs, tellOtherTabs } from './other-tabs.ts';
import { onSignedOut, tellSignedOut } from './signed-out.ts';

/** `unknown`: the service has not answered yet. */
type Known =
  | { readonly state: 'unknown'; readonly problem?: unknown }
  | { readonly state: 'nobody' }
  | { readonly state: 'signed_in'; readonly me: Account; readonly isOver: boolean };

interface Session {
  readonly known: Known;
  signIn(user: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

const TRY_AGAIN_MS = 2000;

/** One whose role is another may see other things. */
const isOther = (before: Account, now: Account) => before.name !== now.name || before.role !== now.role;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const [known, setKnown] = useState<Known>({ state: 'unknown' });

  /** The service has said who it is: whoever else was here before leaves nothing. */
  const recognise = useCallback(
    (me: Account) => {
      setKnown(before => {
        if (before.state === 'signed_in' && isOther(before.me, me)) queryClient.clear();
        return { state: 'signed_in', me, isOver: false };
      });
      live.signedIn();
    },
    [queryClient],
  );

  const forget = useCallback(() => {
    live.signedOut();
    queryClient.clear();
    setKnown({ state: 'nobody' });
  }, [queryClient]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        recognise(await answerOf(api.getOwnAccount()));
      } catch (error) {
        if (isUnknownCaller(error)) setKnown({ state: 'nobody' });
        else {
          setKnown({ state: 'unknown', problem: error });
          timer = setTimeout(ask, TRY_AGAIN_MS);
        }
      }
    };
    ask();
    return () => clearTimeout(timer);
  }, [recognise]);

  /** The session may be over, or another's: the service says. */
  const askAgain = useCallback(
    () =>
      answerOf(api.getOwnAccount()).then(recognise, error => {
        if (isUnknownCaller(error)) tellSignedOut();
      }),
    [recognise],
  );

  useEffect(
    () =>
      onSignedOut(() =>
        setKnown(before => (before.state === 'signed_in' ? { ...before, isOver: true } : before)),
      ),
    [],
  );

  useEffect(() => onOtherTabs(news => (news === 'signed_out' ? forget() : askAgain())), [forget, askAgain]);

  const liveState = useLiveState();
  const isSignedIn = known.state === 'signed_in' && !known.isOver;
  useEffect(() => {
    if (liveState === 'signed_out' && isSignedIn) askAgain();
  }, [liveState, isSignedIn, askAgain]);

  const session = useMemo<Session>(
    () => ({
      known,
      signIn: async (user, password) => {
        await createClient({ baseUrl: location.origin, user, password }).createSession({
          ...CALLER,
          body: {},
        });
        recognise(await answerOf(api.getOwnAccount()));
        queryClient.invalidateQueries();
        tellOtherTabs('signed_in');
      },
      signOut: async () => {
        await api.removeSession().catch((error: unknown) => {
          if (!isUnknownCaller(error)) throw error;
        });
        forget();
        tellOtherTabs('signed_out');
      },
    }),
    [known, queryClient, recognise, forget],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession must be used inside SessionProvider');
  return session;
}

/** Whoever is signed in; only below the gate. */
export function useMe(): Account {
  const { known } = useSession();
  if (known.state !== 'signed_in') throw new Error('useMe requires a signed-in account');
  return known.me;
}

/** Whether whoever is signed in may call a route, and why not. */
export function useMay(): { may(name: RouteName): boolean; whyNot(name: RouteName): string | undefined } {
  const { role } = useMe();
  return { may: name => may(role, name), whyNot: name => whyNot(role, name) };
}
