import { useState } from 'react';
import { useMe, useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { withPassword } from './with-password.ts';

/** The service ends all sessions of an account at once; this page signs in again and goes on. */
export function EndSessions() {
  const { name } = useMe();
  const { signIn } = useSession();
  const [password, setPassword] = useState('');
  const { run, isBusy, problem } = useAsk(
    async () => {
      await withPassword(name, password, (client, caller) => client.removeSessions({ ...caller, name }));
      await signIn(name, password);
      notice('Other sessions signed out');
    },
    () => setPassword(''),
  );
  return (
    <Panel title="Other sessions">
      <Form onSubmit={() => run()} isBusy={isBusy} problem={problem}>
        <p>Sign out in every other browser. You stay signed in here.</p>
        <input type="text" name="user" value={name} autoComplete="username" readOnly hidden />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <ProblemBox problem={problem} />
        <div>
          <Button type="submit" isBusy={isBusy}>
            Sign out other sessions
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
