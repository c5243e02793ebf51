// The board on the quay: what the tide does next, in letters that can be read from a boat.

import React, { useState } from "react";
import { Clock } from "./Clock";
import { useForecast } from "../hooks/useForecast";

interface BoardProps {
  station: string;
  onAlarm?: (level: number) => void;
}

export interface Row {
  at: Date;
  level: number;
}

/** Shows the next tides of a station. */
export function TideBoard({ station, onAlarm }: BoardProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const { rows, reload } = useForecast(station);

  function toggle() {
    setOpen(!open);
  }

  return (
    <section className="board" onClick={toggle}>
      <Clock zone="UTC" />
      <Panel title={station}>
        {rows.map((row: Row) => (
          <Line key={row.at.toISOString()} row={row} />
        ))}
      </Panel>
      <button onClick={() => reload(station)}>Reload</button>
    </section>
  );
}

const Line = ({ row }: { row: Row }) => (
  <p>
    {row.at.toISOString()} {formatLevel(row.level)}
  </p>
);

export const Panel: React.FC<{ title: string }> = ({ title, children }) => {
  return (
    <div>
      <h2>{title}</h2>
      {children}
    </div>
  );
};

export const formatLevel = (level: number): string => `${level.toFixed(2)} m`;

export const BoardContext = React.createContext<Row[]>([]);

export class Boundary extends React.Component<{ children: React.ReactNode }> {
  state = { broken: false };

  componentDidCatch(error: Error): void {
    report(error);
    this.setState({ broken: true });
  }

  render(): React.ReactNode {
    return this.state.broken ? <Fallback /> : this.props.children;
  }
}

export default React.memo(TideBoard);
