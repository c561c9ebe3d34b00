/** A number for each hour, as bars. */

const HEIGHT = 24;
const STEP = 5;

interface BarsProps {
  readonly values: readonly number[];
  readonly says: string;
}

export function Bars({ values, says }: BarsProps): JSX.Element {
  const most = Math.max(...values, 1);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      role="img"
      aria-label={says}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max((value / most) * HEIGHT, 2);
        return (
          <rect
            key={index}
            class={value === 0 ? 'none' : undefined}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        );
      })}
    </svg>
  );
}
