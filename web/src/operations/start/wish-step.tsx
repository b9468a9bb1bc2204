import type { OperationKind } from '#vocabulary';
import { OPERATION_KINDS } from '#vocabulary';
import type { DraftErrors, PolicyDraft } from '../../policy/policy-draft.ts';
import { PolicyForm } from '../../policy/policy-form.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useInvalidFocus } from '../../ui/forms/form.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './start-operation.module.css';

/** What somebody has typed so far. */
export interface Typed {
  readonly kind: OperationKind;
  readonly version: string;
  readonly draft: PolicyDraft;
}

interface WishStepProps {
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  readonly errors: DraftErrors;
  readonly versionError: string | undefined;
  /** What was wrong when it was tried last: the same object until it is tried again. */
  readonly failure: unknown;
  /** Errors of fields, in short. */
  readonly summary: unknown;
  readonly problem: unknown;
  readonly isBusy: boolean;
  readonly onPreview: () => void;
  readonly onClose: () => void;
}

const KINDS: Readonly<Record<OperationKind, { readonly title: string; readonly what: string }>> = {
  restart: { title: 'Restart', what: 'Reboot each host, a few at a time.' },
  upgrade: {
    title: 'Upgrade',
    what: 'Upgrade packages or the OS image, and reboot if needed.',
  },
  deploy: {
    title: 'Deploy',
    what: 'Install a specific OS image version and reboot into it.',
  },
};

function Kinds({ kind, onChoose }: { readonly kind: OperationKind; onChoose(kind: OperationKind): void }) {
  return (
    <fieldset className={styles.kinds}>
      <legend className="heard">Operation</legend>
      {OPERATION_KINDS.map(each => (
        <label key={each} className={styles.kind}>
          <input type="radio" name="kind" checked={each === kind} onChange={() => onChoose(each)} />
          <span>
            <strong>{KINDS[each].title}</strong>
            <span>{KINDS[each].what}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The first step: what is done, and how. */
export function WishStep(props: WishStepProps) {
  const { typed, onType, errors, versionError, failure, summary, problem, isBusy, onPreview, onClose } =
    props;
  const { kind, version, draft } = typed;
  const element = useInvalidFocus(failure);
  return (
    <form
      ref={element}
      className={styles.step}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy) onPreview();
      }}
    >
      <ProblemBox problem={summary} />
      <Kinds kind={kind} onChoose={chosen => onType({ ...typed, kind: chosen })} />
      {kind === 'deploy' && (
        <TextField
          label="Version"
          hint="Version, commit, tag or image reference, in the format of the host’s image tool."
          value={version}
          error={versionError}
          onChange={event => onType({ ...typed, version: event.target.value })}
        />
      )}
      <details className={styles.policy} open={Object.keys(errors).length > 0 || undefined}>
        <summary>
          <strong>Policy</strong>
          <span>
            Empty fields use the policy of the cluster, then the defaults. You review the plan before anything
            starts.
          </span>
        </summary>
        <PolicyForm
          draft={draft}
          errors={errors}
          unset="From cluster policy"
          onChange={changed => onType({ ...typed, draft: changed })}
        />
      </details>
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Preview
        </Button>
      </DialogActions>
    </form>
  );
}
