import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useClusterPolicy } from '../../clusters/use-cluster.ts';
import { draftFieldAt } from '../../policy/draft-field-at.ts';
import { draftOf } from '../../policy/draft-of-wish.ts';
import type { Wish } from '../../policy/policy-draft.ts';
import { PolicyForm } from '../../policy/policy-form.tsx';
import { PolicyList } from '../../policy/policy-list.tsx';
import { wishOf } from '../../policy/wish-of-draft.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, invalidForm } from '../../ui/forms/field-errors.ts';
import { useInvalidFocus } from '../../ui/forms/form.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Read } from '../../ui/read.tsx';
import { counted } from '../../ui/words/counted.ts';
import styles from './cluster.module.css';

interface EditorProps {
  readonly name: string;
  readonly before: Wish;
  readonly onClose: () => void;
}

function Editor({ name, before, onClose }: EditorProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(before));
  const [invalid, setInvalid] = useState<Error>();
  const { wish, errors } = wishOf(draft);
  const { run, isBusy, problem } = useAsk(async () => {
    await api.putClusterPolicy({ name, body: wish });
    await queryClient.invalidateQueries({ queryKey: keys.clusterPolicy(name) });
    notice(`Policy of ${name} saved. It applies to new operations.`);
    onClose();
  });
  const said = fieldErrors(problem, draftFieldAt);
  const isInvalid = invalid !== undefined && Object.keys(errors).length > 0;
  const element = useInvalidFocus(invalid ?? problem);
  return (
    <form
      ref={element}
      className={styles.choosing}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        const found = invalidForm(errors);
        setInvalid(found);
        if (found === undefined && !isBusy) run();
      }}
    >
      <p>
        Default policy for new operations on {name}. Values that you set when you start an operation take
        precedence. Running operations keep their policy.
      </p>
      <ProblemBox problem={isInvalid ? invalid : said.summary} />
      <PolicyForm
        draft={draft}
        onChange={setDraft}
        errors={{ ...said.of, ...(isInvalid && errors) }}
        unset="Default"
      />
      <ProblemBox problem={isInvalid ? undefined : said.rest} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Save policy
        </Button>
      </DialogActions>
    </form>
  );
}

function SetPolicy({ policy }: { readonly policy: Wish }) {
  const set = Object.keys(policy).length;
  return (
    <details className={styles.policy} open={set > 0}>
      <summary>
        {set === 0
          ? 'No custom policy. Operations use the defaults.'
          : `${counted(set, 'custom value')}. Everything else uses the defaults.`}
      </summary>
      <PolicyList policy={policy} setWords="custom" />
    </details>
  );
}

/** What operations on the cluster keep to. */
export function PolicyPanel({ name }: { readonly name: string }) {
  const { may } = useMay();
  const query = useClusterPolicy(name);
  const { data } = query;
  /** What there was when the editor was opened: it must not change under somebody's hands. */
  const [edited, setEdited] = useState<Wish>();
  const actions = may('putClusterPolicy') && data && (
    <Button size="small" onClick={() => setEdited(data)}>
      Edit policy
    </Button>
  );
  return (
    <Panel title="Policy" actions={actions}>
      <Read of={query} what="the policy">
        {policy => <SetPolicy policy={policy} />}
      </Read>
      <Dialog
        title={`Edit policy of ${name}`}
        isOpen={edited !== undefined}
        onClose={() => setEdited(undefined)}
        size="wide"
      >
        {edited && <Editor name={name} before={edited} onClose={() => setEdited(undefined)} />}
      </Dialog>
    </Panel>
  );
}
