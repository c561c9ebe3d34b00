/** Where a file is chosen, or dropped anywhere on the page: of all that is dropped one is taken, and of the others it is said. */
import { files as says } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Icon } from './button.tsx';
import { say } from './notice.tsx';
import { tell } from './told.ts';

/** An arrow into a tray. */
const ICON = 'M10 12V3M6.500 6.500 10 3l3.500 3.500M4 12v4.500h12V12';

interface FilePlaceProps {
  /** What is taken, and how much of it. */
  readonly hint: string;
  /** Endings of names, each with its dot. */
  readonly kinds: readonly string[];
  readonly onFile: (file: File) => void;
}

/** What was dropped: folders have no content of their own. */
interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly string[];
}

export function FilePlace({ hint, kinds, onFile }: FilePlaceProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const [several, setSeveral] = useState<readonly File[]>([]);
  const take = (file: File): void => {
    setSeveral([]);
    onFile(file);
  };
  const dropped = ({ files, folders }: Dropped): void => {
    const isKind = ({ name }: File) => kinds.some((kind) => name.toLowerCase().endsWith(kind));
    // A single file is taken whatever its kind: the service says what is wrong with it.
    const fit = files.length === 1 && folders.length === 0 ? files : files.filter(isKind);
    const others = files.filter((file) => !fit.includes(file));
    const left = [...folders.map(says.folder), ...others.map(({ name }) => says.otherKind(name))];
    if (left.length > 0) say(says.notTaken(left.length), { more: left });
    const [one] = fit;
    if (one !== undefined && fit.length === 1) take(one);
    else {
      setSeveral(fit);
      if (fit.length > 1) tell(says.which);
    }
  };
  useDrop(setOver, dropped);
  return (
    <>
      <label class={`drop ${isOver ? 'over' : ''}`}>
        <input
          type="file"
          class="unseen"
          accept={kinds.join(',')}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) take(file);
            currentTarget.value = '';
          }}
        />
        <Icon name={ICON} />
        <strong>{says.choose}</strong>
        <span>{hint}</span>
      </label>
      {several.length > 0 && (
        <fieldset class="choose-one">
          <legend>{says.which}</legend>
          {several.map((file) => (
            <Button key={file} label={file.name} onClick={() => take(file)} />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** A file that misses its place would take the page's, with whatever was typed there. */
function useDrop(onOver: (isOver: boolean) => void, onDrop: (dropped: Dropped) => void): void {
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const watching = new AbortController();
    const { signal } = watching;
    const on = (event: 'dragover' | 'dragleave' | 'drop', does: (of: DataTransfer) => void): void =>
      addEventListener(
        event,
        (happened) => {
          const { dataTransfer } = happened;
          // A text that is dragged goes into the field where it is dropped.
          if (dataTransfer === null || !dataTransfer.types.includes('Files')) return;
          happened.preventDefault();
          does(dataTransfer);
        },
        { signal },
      );
    on('dragover', () => onOver(true));
    on('dragleave', () => onOver(false));
    on('drop', (of) => {
      onOver(false);
      latest.current(droppedIn(of));
    });
    return () => watching.abort();
  }, []);
}

function droppedIn({ items, files }: DataTransfer): Dropped {
  const folders = [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory ? [entry.name] : [];
  });
  return { folders, files: [...files].filter(({ name }) => !folders.includes(name)) };
}
