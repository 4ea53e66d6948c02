//! Tables: the cells in order; a spanning cell is repeated.

use crate::markdown::{Gap, MarkdownWriter, PageSource, is_gutter};
use crate::tree::{NodeId, one_line};

/// Most cells of a table, repeated ones included: each takes a few bytes.
const MAX_CELLS: usize = 500_000;

/// Most columns that a cell may span, as in browsers.
const MAX_SPAN: usize = 1000;

struct TableRow {
    cells: Vec<NodeId>,
    /// Row group, or the table without one: no cell spans beyond it.
    group: NodeId,
}

/// The cell that covers a place in the grid: index of its row, and its index in that row.
type GridCell = Option<(usize, usize)>;

/// Writes a table.
pub(crate) fn write(writer: &mut MarkdownWriter<'_>, id: NodeId) {
    let source = writer.source;
    for caption in source.children(id).filter(|child| source.tree.name(*child) == "caption") {
        writer.blocks(caption);
    }
    let rows = rows(source, id);
    if !writer.is_cell && is_layout(source, id, &rows) {
        return laid_out(writer, &rows);
    }
    let Some(grid) = grid(source, &rows) else {
        source.budget.set(0);
        return;
    };
    // Rows without cells only end the spans from above.
    let is_filled = |row: &&TableRow| !row.cells.is_empty();
    let grid: Vec<_> = grid.iter().zip(&rows).filter(|(_, row)| is_filled(row)).map(|(line, _)| line).collect();
    let width = grid.iter().map(|line| line.len()).max().unwrap_or(0);
    if width == 0 {
        return;
    }
    let texts: Vec<Vec<String>> =
        rows.iter().map(|row| row.cells.iter().map(|cell| text(writer, *cell)).collect()).collect();
    let spent = |row: &[GridCell]| {
        let length = |cell: &GridCell| cell.map_or(0, |(row, place)| texts[row][place].len());
        source.spend(row.iter().map(|cell| length(cell) + 3).sum())
    };
    let cells = |row: &[GridCell]| {
        let text_at = |place: usize| row.get(place).copied().flatten().map_or("", |(row, place)| &texts[row][place]);
        (0..width).map(text_at).collect::<Vec<_>>()
    };
    writer.begin();
    if writer.is_cell {
        // Rows of a nested table become lines of the cell.
        for row in grid.into_iter().filter(|row| spent(row)) {
            let line = cells(row).into_iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(", ");
            writer.line(&line);
        }
        writer.gap = Gap::Blank;
        return;
    }
    let is_heading = |row: &TableRow| {
        source.tree.name(row.group) == "thead" || row.cells.iter().all(|cell| source.tree.name(*cell) == "th")
    };
    let has_heading = rows.iter().find(is_filled).is_some_and(is_heading);
    let separator = format!("|{}", "---|".repeat(width));
    if !has_heading {
        writer.line(&format!("|{}", "  |".repeat(width)));
        writer.line(&separator);
    }
    for (place, row) in grid.iter().enumerate() {
        if !source.spend(3 * width) || !spent(row) {
            break;
        }
        writer.line(&format!("| {} |", cells(row).join(" | ")));
        if place == 0 && has_heading {
            writer.line(&separator);
        }
    }
    writer.gap = Gap::Blank;
}

fn rows(source: PageSource<'_>, table: NodeId) -> Vec<TableRow> {
    let named = |id: NodeId, name: &str| source.tree.name(id) == name;
    let row = |id: NodeId, group: NodeId| TableRow {
        cells: source.children(id).filter(|child| named(*child, "td") || named(*child, "th")).collect(),
        group,
    };
    let mut rows = Vec::new();
    for child in source.children(table) {
        match source.tree.name(child) {
            "tr" => rows.push(row(child, table)),
            "thead" | "tbody" | "tfoot" => {
                rows.extend(
                    source.children(child).filter(|child| named(*child, "tr")).map(|row_id| row(row_id, child)),
                );
            }
            _ => {}
        }
    }
    rows
}

/// Returns `true` if a table is used for layout only.
fn is_layout(source: PageSource<'_>, table: NodeId, rows: &[TableRow]) -> bool {
    let tree = source.tree;
    if tree.says(table, "role", "presentation") || tree.says(table, "role", "none") {
        return true;
    }
    let mut cells = rows.iter().flat_map(|row| &row.cells);
    let has_heading = cells.any(|cell| tree.name(*cell) == "th");
    let cells = || rows.iter().flat_map(|row| row.cells.iter().copied());
    !has_heading
        && (rows.iter().all(|row| row.cells.len() <= 1)
            || cells().any(|cell| tree.has_inside(cell, "table"))
            || (rows.iter().filter(|row| !row.cells.is_empty()).count() == 1
                && cells().any(|cell| tree.has_inside(cell, "pre"))))
}

fn laid_out(writer: &mut MarkdownWriter<'_>, rows: &[TableRow]) {
    let source = writer.source;
    for row in rows {
        let has_code = row.cells.iter().any(|cell| source.tree.has_inside(*cell, "pre"));
        for &cell in &row.cells {
            let is_numbers = || source.raw(cell).chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
            if !(has_code && (is_gutter(source.tree, cell) || is_numbers())) {
                writer.gap = Gap::Blank;
                writer.blocks(cell);
            }
        }
    }
}

/// Lays the cells out in a grid; `None` if there are too many.
fn grid(source: PageSource<'_>, rows: &[TableRow]) -> Option<Vec<Vec<GridCell>>> {
    // By column: the cell from above that spans this row, and the number of rows it still covers.
    let mut reaching: Vec<Option<((usize, usize), usize)>> = Vec::new();
    let mut grid: Vec<Vec<GridCell>> = Vec::with_capacity(rows.len());
    let mut group = None;
    let mut count = 0_usize;
    for (place, row) in rows.iter().enumerate() {
        if group.replace(row.group) != Some(row.group) {
            reaching.clear();
        }
        let mut line: Vec<GridCell> = Vec::new();
        let mut next_reaching = Vec::new();
        let above = |line: &mut Vec<_>, next: &mut Vec<_>| {
            let from_above = reaching.get(line.len()).copied().flatten();
            if let Some((cell, left)) = from_above {
                line.push(Some(cell));
                next.push((left > 1).then(|| (cell, left - 1)));
            }
            from_above.is_some()
        };
        for (number, cell) in row.cells.iter().enumerate() {
            while above(&mut line, &mut next_reaching) {}
            let span =
                |name: &str| source.tree.attribute(*cell, name).and_then(|value| value.trim().parse::<usize>().ok());
            let columns = span("colspan").unwrap_or(1).clamp(1, MAX_SPAN);
            let down = match span("rowspan") {
                Some(0) => usize::MAX,
                rows => rows.unwrap_or(1),
            };
            for _ in 0..columns {
                line.push(Some((place, number)));
                next_reaching.push((down > 1).then(|| ((place, number), down - 1)));
            }
            count = count.saturating_add(columns);
            if count > MAX_CELLS {
                return None;
            }
        }
        while line.len() < reaching.len() {
            if !above(&mut line, &mut next_reaching) {
                line.push(None);
                next_reaching.push(None);
            }
        }
        while line.last().is_some_and(Option::is_none) {
            line.pop();
            next_reaching.pop();
        }
        count = count.saturating_add(line.len());
        if count > MAX_CELLS {
            return None;
        }
        reaching = next_reaching;
        grid.push(line);
    }
    Some(grid)
}

/// Returns a cell's text in one line.
fn text(writer: &MarkdownWriter<'_>, cell: NodeId) -> String {
    let source = writer.source;
    let mut inside = MarkdownWriter::new(source);
    inside.is_cell = true;
    inside.is_deleted = writer.is_deleted;
    // Style sheets keep the spaces of such cells.
    let is_code = source.tree.classes(cell).any(|class| class == "code" || class == "blob-code");
    match is_code && !source.tree.has_inside(cell, "pre") {
        true => inside.fenced(&source.raw(cell), ""),
        false => inside.blocks(cell),
    }
    let lines = inside.out.lines().filter(|line| !line.is_empty());
    let joined = lines.collect::<Vec<_>>().join("<br>");
    match one_line(&joined).is_empty() {
        true => String::new(),
        // The outer cell escapes it.
        false if writer.is_cell => joined,
        false => joined.replace('|', r"\|"),
    }
}
